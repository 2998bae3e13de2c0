import { isMap, isScalar, parseDocument, type YAMLMap } from "yaml";

/** Adds a script to the text of a valid package.json. All other characters stay as they are. */
export function addScript(text: string, name: string, command: string): string {
  // JSON is YAML; this library gives the offset of each value.
  const { contents } = parseDocument(text, { schema: "json", uniqueKeys: false, logLevel: "silent" });
  if (!isMap(contents)) throw new Error("invariant: package.json is an object");
  const scripts = contents.items.findLast(({ key }) => isScalar(key) && key.value === "scripts")?.value;
  const outer = spaceBeforeMembers(text, contents) ?? "\n  ";
  // A level deeper: the same line end, and twice the indentation of the outermost members.
  const inner = outer.replace(/^(\r?\n)(.*)$/s, "$1$2$2");
  if (isMap(scripts)) {
    const space = spaceBeforeMembers(text, scripts);
    return withMember(text, scripts, { name, value: JSON.stringify(command), space: space ?? inner, end: outer });
  }
  const value = `{${inner}${JSON.stringify(name)}: ${JSON.stringify(command)}${outer}}`;
  return withMember(text, contents, { name: "scripts", value, space: outer, end: outer.replace(/[ \t]+$/, "") });
}

interface Member {
  readonly name: string;
  /** JSON. */
  readonly value: string;
  /** White space before the member. */
  readonly space: string;
  /** White space behind the only member of an object. */
  readonly end: string;
}

/** The text with a further last member of an object. */
function withMember(text: string, map: YAMLMap, { name, value, space, end }: Member): string {
  const member = `${space}${JSON.stringify(name)}: ${value}`;
  const last = rangeOf(map.items.at(-1)?.value);
  if (last !== undefined) return `${text.slice(0, last[1])},${member}${text.slice(last[1])}`;
  const [start, close] = rangeOf(map) ?? [0, 0];
  return `${text.slice(0, start)}{${member}${end}}${text.slice(close)}`;
}

/** White space before the last member; undefined without members. */
function spaceBeforeMembers(text: string, map: YAMLMap): string | undefined {
  const key = rangeOf(map.items.at(-1)?.key);
  return key === undefined ? undefined : /\s*$/.exec(text.slice(0, key[0]))?.[0];
}

function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range)) return undefined;
  const [start, end] = node.range;
  return typeof start === "number" && typeof end === "number" ? [start, end] : undefined;
}
