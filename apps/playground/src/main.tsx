import "./style.css";
import "./shared/shared.css";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { followHash } from "./app/router.ts";
import { applyTheme, styleDrawings } from "./app/theme.ts";
import { startModel } from "./model/model.ts";

applyTheme();
styleDrawings();
followHash();
startModel({ kind: "english" });
render(<App />, document.getElementById("app")!);
