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
