/** Returns the value of an attribute of a MISC column; undefined without it. */
export function miscValue(misc: string, name: string): string | undefined {
  if (!misc.includes(`${name}=`)) return undefined;
  const item = misc.split("|").find((one) => one.startsWith(`${name}=`));
  return item?.slice(name.length + 1);
}
