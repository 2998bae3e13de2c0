/** The oldest supported version of Node. */
const oldest = [22, 19] as const;

/** Why a version of Node cannot run this package; undefined for a supported one. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return `canton-understudy needs Node ${oldest.join(".")} or newer; this is ${version}. A project gets a newer one with: npm install --save-dev node@24 (with --ignore-scripts, then: npm rebuild node --ignore-scripts=false)`;
}
