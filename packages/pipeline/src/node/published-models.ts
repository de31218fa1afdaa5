/* Written by tools/test/models.test.ts, from the recipes in tools/models/recipes. */

// biome-ignore format: a model per line
export const PUBLISHED = [
  { name: "chinese", language: "Chinese", code: "zh", treebank: "UD_Chinese-GSDSimp", license: "CC-BY-SA-4.0" },
  { name: "coptic", language: "Coptic", code: "cop", treebank: "UD_Coptic-Scriptorium", license: "CC-BY-4.0" },
  { name: "dutch", language: "Dutch", code: "nl", treebank: "UD_Dutch-Alpino", license: "CC-BY-SA-4.0" },
  { name: "english", language: "English", code: "en", treebank: "UD_English-EWT and UD_English-GUM", license: "CC-BY-SA-4.0" },
  { name: "english-small", language: "English", code: "en", treebank: "UD_English-EWT and UD_English-GUM", license: "CC-BY-SA-4.0" },
  { name: "french", language: "French", code: "fr", treebank: "UD_French-Sequoia", license: "LGPLLR" },
  { name: "german", language: "German", code: "de", treebank: "UD_German-GSD", license: "CC-BY-SA-4.0" },
  { name: "indonesian", language: "Indonesian", code: "id", treebank: "UD_Indonesian-CSUI", license: "CC-BY-SA-4.0" },
  { name: "japanese", language: "Japanese", code: "ja", treebank: "UD_Japanese-GSD", license: "CC-BY-SA-4.0" },
  { name: "portuguese", language: "Portuguese", code: "pt", treebank: "UD_Portuguese-Bosque", license: "CC-BY-SA-4.0" },
  { name: "spanish", language: "Spanish", code: "es", treebank: "UD_Spanish-AnCora", license: "CC-BY-4.0" },
  { name: "swedish", language: "Swedish", code: "sv", treebank: "UD_Swedish-Talbanken", license: "CC-BY-SA-4.0" },
  { name: "vietnamese", language: "Vietnamese", code: "vi", treebank: "UD_Vietnamese-VTB", license: "CC-BY-SA-4.0" },
  { name: "welsh", language: "Welsh", code: "cy", treebank: "UD_Welsh-CCG", license: "CC-BY-SA-4.0" },
];
