import { below, garbage, isDrawn, oneOf, type Random } from "./_draw.ts";
import { hostileNames, hostileValue } from "./_hostile.ts";

/** Every level names the one before it nine times. */
const laughs: string = [
  "a: &a0 [x, x]",
  ...Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`),
].join("\n");

/** Lines that only YAML can be made of. */
const hostileLines: readonly string[] = [
  laughs,
  "&a [*a]",
  "x: &x { <<: *x }",
  "<<: { __proto__: { polluted: true } }",
  "<<: [1, 2]",
  "<<: *nothing",
  "__proto__: { polluted: true }",
  "constructor: { prototype: { polluted: true } }",
  "---",
  "...",
  "%YAML 1.1",
  "%TAG ! tag:example.com,2000:",
  "? [a, b]\n: c",
  "? { a: b }",
  "? |\n  long\n: x",
  "x: !!js/function 'function () {}'",
  "x: !!binary aGVsbG8=",
  "x: !!set { a, b }",
  "x: !!omap [a: 1]",
  "x: !!timestamp 2001-12-14t21:59:43.10-05:00",
  "x: !!float .inf",
  "x: !<tag:yaml.org,2002:str> 1",
  "\tx: 1",
  "x:\t1",
  "x: 2026-01-01",
  "x: 0x1F",
  "x: 0o17",
  "x: .nan",
  "x: ~",
  "x: |\n   a\n  b",
  "x: >-\n",
  "x: 'unclosed",
  'x: "\\ud800"',
  "x: [",
  "x: {",
  "- - - -",
  ": :",
  "- ",
  "null: null",
  "1: 2",
  "x: *",
  "x: &",
  "@x: `y`",
  "# \u0000",
  "x: \ufeff",
];

/** The text of a YAML file after one to four mutations that know that it is made of lines, names and values. */
export function mutatedYaml(text: string, random: Random): string {
  let lines = text.split("\n");
  for (let count = 1 + below(random, 4); count > 0; count -= 1) lines = once(lines, random);
  return lines.join("\n");
}

function once(lines: readonly string[], random: Random): string[] {
  const at = below(random, lines.length);
  const line = lines[at] ?? "";
  const changed = (by: string) => lines.toSpliced(at, 1, by);
  switch (below(random, 11)) {
    case 0:
      return lines.toSpliced(at, 1 + below(random, 3));
    case 1:
      return lines.toSpliced(at, 0, line);
    case 2:
      return changed(lines[below(random, lines.length)] ?? "");
    case 3:
      return changed(isDrawn(random, 0.5) ? ` ${line}` : line.replace(/^ {1,2}/, ""));
    case 4:
      return lines.toSpliced(at, 0, ...indented(oneOf(random, hostileLines), line));
    case 5:
    case 6:
      return changed(withValue(line, hostileValue(random)));
    case 7:
      return changed(line.replace(/[\w-]+(?=:)/, () => JSON.stringify(oneOf(random, hostileNames))));
    case 8:
      return changed(line.replace(/[\w-]+(?=:)/, (name) => name.slice(0, -1)));
    case 9:
      return changed(
        withValue(
          line,
          oneOf(random, [
            "*x",
            "&x 1",
            "!!str 1",
            "!x y",
            "| x",
            "> ",
            "'",
            '"',
            "[1",
            "@",
            "{}",
            "2026-01-01",
            "1e3",
            "~",
            "-",
          ]),
        ),
      );
    default: {
      const place = below(random, line.length + 1);
      return changed(`${line.slice(0, place)}${garbage(random, 5)}${line.slice(place + below(random, 3))}`);
    }
  }
}

function indented(text: string, like: string): readonly string[] {
  const indent = /^ */.exec(like)?.[0] ?? "";
  return text.split("\n").map((line) => `${indent}${line}`);
}

/** Another value behind a name of the line, also within braces. */
function withValue(line: string, value: string): string {
  const named = /^([^:]*:\s+)([^,}\]]*)(.*)$/.exec(line);
  if (named === null) return `${/^[\s-]*/.exec(line)?.[0] ?? ""}${value}`;
  return `${named[1] ?? ""}${value}${named[3] ?? ""}`;
}
