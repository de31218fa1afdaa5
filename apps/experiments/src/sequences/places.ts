/**
 * Names of places from the locale data of the JavaScript engine: countries and regions in Spanish, and the
 * cities that time zones are named after. A gazetteer that owes nothing to the training data.
 */
export function placeNames(): string[] {
  const regions = new Intl.DisplayNames(["es"], { type: "region", fallback: "none" });
  const names: string[] = [];
  for (let a = 65; a <= 90; a++) {
    for (let b = 65; b <= 90; b++) {
      const name = regions.of(String.fromCharCode(a, b));
      if (name !== undefined) names.push(name);
    }
  }
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const city = zone.split("/").slice(1).at(-1);
    if (city !== undefined) names.push(city.replaceAll("_", " "));
  }
  return [...new Set(names)].sort();
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Marks the words of a sentence that are in names of a gazetteer, the longest from the left: `B` for the
 * first word of a name, `I` for the others, `O` elsewhere. A name begins with a capital; other differences of
 * case and accents do not count.
 */
export function gazetteerMarks(names: readonly string[]): (forms: readonly string[]) => string[] {
  const known = new Set(names.map(plain));
  const longest = Math.max(0, ...names.map((name) => name.split(" ").length));
  return (forms) => {
    const marks = forms.map(() => "O");
    for (let i = 0; i < forms.length; i++) {
      if (!/^\p{Lu}/u.test(forms[i]!)) continue;
      for (let length = Math.min(longest, forms.length - i); length > 0; length--) {
        if (!known.has(plain(forms.slice(i, i + length).join(" ")))) continue;
        marks.fill("I", i, i + length);
        marks[i] = "B";
        i += length - 1;
        break;
      }
    }
    return marks;
  };
}
