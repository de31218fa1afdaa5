import { load } from "@me/small";

const nlp = await load();
const [sentence] = nlp.run("Dogs bark.");
document.body.dataset.result = sentence!.words
  .map(({ form, head }) => `${form} ${head?.form ?? "ROOT"}`)
  .join(", ");
