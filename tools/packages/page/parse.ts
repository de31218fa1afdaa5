import { plainMstDecoder } from "@arcwise/decode-mst";
import { createParser, loadParser } from "@arcwise/parser/parse";

const word = (form: string, upos: string) => ({ form, lemma: form.toLowerCase(), upos });
const bytes = new Uint8Array(await (await fetch("small.model")).arrayBuffer());
const parser = createParser(loadParser(bytes), { decoder: plainMstDecoder() });
const { heads, labels } = parser.parse([word("Cats", "NOUN"), word("sleep", "VERB")]);
document.body.dataset.result = `${heads.join(" ")} ${labels.slice(1).join(" ")}`;
