import { load } from "@me/small";
import { createPipeline } from "arcwise";

const nlp = createPipeline(await load());
const [sentence] = nlp.run("Dogs bark.");
document.body.dataset.result = sentence!.words
  .map(({ form, head }) => `${form} ${head?.form ?? "ROOT"}`)
  .join(", ");
