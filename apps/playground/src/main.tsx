import "./style.css";
import "./shared/shared.css";
import { render } from "preact";
import { host } from "./app/host.ts";
import { followHash, navigate } from "./app/router.ts";
import { applyTheme, styleDrawings } from "./app/theme.ts";
import { App } from "./app.tsx";
import { startFirstModel } from "./model/model.ts";

applyTheme();
styleDrawings();
followHash();
startFirstModel();
if (host !== undefined && host.files.length > 0 && location.hash === "") navigate("correct");
render(<App />, document.getElementById("app")!);
