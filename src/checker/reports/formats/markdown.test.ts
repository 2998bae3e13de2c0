import { expect, test } from "vitest";
import {
  fineReport,
  hostile,
  overflowingReport,
  refusingReport,
  sampleReport,
} from "../../../../test/acceptance/_report.ts";
import { docsUrl } from "../docs-links.ts";
import { renderMarkdown } from "./markdown.ts";

/** The rows of the table with this head, as the texts of their cells. */
function rowsUnder(markdown: string, head: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  const start = lines.indexOf(head);
  const rest = start < 0 ? [] : lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => shownBy(cell.trim())),
  );
}

/** A link from an id to its page of docs. */
const docsLink =
  /\[(<code>[^\]]*<\/code>)\]\((https:\/\/unpkg\.com\/canton-understudy@\d+\.\d+\.\d+\/docs\/reference\/\w+\.md#[\w-]+)\)/g;

/** The text of a cell. */
function shownBy(cell: string): string {
  return cell
    .replaceAll(docsLink, "$1")
    .replaceAll(/<\/?code>/g, "")
    .replaceAll(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));
}

const head = "|  | Rule | Operation | Count | Expected | Actual | At | Section |";

test("has a row for each violation, failures first", () => {
  const rows = rowsUnder(renderMarkdown(sampleReport()), head);
  expect(rows.map((cells) => cells.slice(0, 4))).toEqual([
    ["failed", "body-schema", "getV2Users 200, GET /v2/users", "4"],
    ["failed", "complete-response", "getV2Users incomplete response, GET /v2/users", "1"],
    ["failed", "malformed-request-refused", "postV2UsersUser-idRights 200, POST /v2/users/{user-id}/rights", "1"],
    ["warned", "body-schema", "getV2Users 200, GET /v2/users", "1"],
    ["warned", "known-members", "getV2Users 200, GET /v2/users", "1"],
    ["warned", "known-members", "getV2Users 200, GET /v2/users", "3"],
    ["accepted", "body-schema", "getV2Idps 200, GET /v2/idps", "1"],
  ]);
  expect(rows.map((cells) => cells.length)).toEqual(rows.map(() => 8));
});

test("shows texts of a target as text only", () => {
  const markdown = renderMarkdown(sampleReport());
  const outsideOfFences = markdown
    .split(/^`{3,}.*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("")
    .replaceAll(docsLink, "$1");
  expect(outsideOfFences).not.toMatch(/<script|http:\/\/evil|@someone|\]\(/);
  const actual = rowsUnder(markdown, head).find(
    ([mark, , operation]) => mark === "accepted" && operation?.startsWith("getV2Idps 200"),
  )?.[5];
  expect(actual).toContain("<script>");
  const created = rowsUnder(markdown, "| Kind | Id |");
  expect(created).toEqual([["user", `understudy-probe-1${hostile.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�")}`]]);
});

test("texts of a target do not end their code block", () => {
  const report = sampleReport();
  const [first, ...others] = report.summary.violations;
  if (first === undefined) throw new Error("the sample has violations");
  const violations = [{ ...first, curl: "a\n```\n````\n</details> # out" }, ...others];
  const markdown = renderMarkdown({ ...report, summary: { ...report.summary, violations } });
  expect(markdown).toContain("\n`````text\na\n```\n````\n</details> # out\n`````\n");
});

test("opens the first failure alone, folds known divergences, and links ids to their pages", () => {
  const markdown = renderMarkdown(sampleReport());
  expect(markdown.match(/<details open>\n\n<summary>.*/g)).toEqual([
    "<details open>\n\n<summary>failed body-schema getV2Users 200, GET /v2/users /users/0/id</summary>",
  ]);
  expect(markdown).toContain("<details>\n\n<summary>Known divergences: 5</summary>\n\n| Known divergence |");
  const links = [...markdown.matchAll(docsLink)].map(([, , url]) => url);
  expect(links[0]).toBe(`${docsUrl}/reference/rules.md#body-schema`);
  expect(links.at(-1)).toBe(`${docsUrl}/reference/divergences.md#div-109`);
  expect(renderMarkdown(fineReport())).not.toContain("<details open>");
});

test("lists known divergences, baseline, probes and coverage", () => {
  const markdown = renderMarkdown(sampleReport());
  expect(rowsUnder(markdown, "| Known divergence | Title | Count |")[0]).toEqual([
    "DIV-001",
    "error responses of the node are JSON",
    "1",
  ]);
  expect(rowsUnder(markdown, "|  | Fingerprint |").map(([state]) => state)).toEqual([
    "fixed",
    "accepted",
    "not checked",
  ]);
  expect(rowsUnder(markdown, "| Skipped because | Probes |")).toEqual([
    ["no token of a plain user is given", "plain-user"],
    ["no expired token is given", "expired-token"],
  ]);
  expect(rowsUnder(markdown, "| What | Which | More |")).toContainEqual(["statuses not observed", "getV2Idps", "400"]);
  expect(rowsUnder(markdown, "| What | Which | More |")).toContainEqual([
    "operation not observed",
    "patchV2UsersUser-id",
    "PATCH /v2/users/{user-id}",
  ]);
});

test("shows equal warnings as one, with all their places", () => {
  const markdown = renderMarkdown(refusingReport());
  const rows = rowsUnder(markdown, head).filter(([mark]) => mark === "warned");
  expect(rows.map((cells) => cells.slice(1, 4))).toEqual([
    ["refused-tokens-are-401", "getV2Idps 403, GET /v2/idps<br>getV2Users 403, GET /v2/users", "3"],
  ]);
  expect(markdown.match(/^Fingerprints: .*refused.*<br>.*refused/gm)).toHaveLength(1);
});

test("is short without findings, and gives the number of omitted rows", () => {
  const fine = renderMarkdown(fineReport());
  expect(fine).toMatch(/^## ✅ understudy check\n\n\*\*The check passes\.\*\* 1 exchange: 1 passed/);
  expect(rowsUnder(fine, head)).toEqual([]);
  const many = renderMarkdown(overflowingReport());
  expect(rowsUnder(many, head)).toHaveLength(200);
  expect(many).toContain("… and 800 further rows: --report FILE.html shows all.");
  expect(many).toContain("3 violations of kinds beyond the limit of 1000");
  expect(Buffer.byteLength(many)).toBeLessThan(1024 * 1024);
});
