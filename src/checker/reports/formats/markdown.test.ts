import { expect, test } from "vitest";
import {
  fineReport,
  hostile,
  overflowingReport,
  refusingReport,
  sampleReport,
} from "../../../../test/acceptance/_report.ts";
import { renderMarkdown } from "./markdown.ts";

/** The rows of the table under this head, each as what its cells show. */
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

/** What a reader sees of a cell. */
function shownBy(cell: string): string {
  return cell
    .replaceAll(/<\/?code>/g, "")
    .replaceAll(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));
}

const head = "|  | Rule | Operation | Count | Expected | Came | At | Section |";

test("has a row for each violation, those that fail first", () => {
  const rows = rowsUnder(renderMarkdown(sampleReport()), head);
  expect(rows.map((cells) => cells.slice(0, 4))).toEqual([
    ["failed", "body-schema", "getV2Users 200, GET /v2/users", "4"],
    ["failed", "invalid-request-refused", "postV2UsersUser-idRights 200, POST /v2/users/{user-id}/rights", "1"],
    ["failed", "complete-response", "getV2Users no whole response, GET /v2/users", "1"],
    ["warned", "body-schema", "getV2Users 200, GET /v2/users", "1"],
    ["accepted", "body-schema", "getV2Idps 200, GET /v2/idps", "1"],
  ]);
  expect(rows.map((cells) => cells.length)).toEqual(rows.map(() => 8));
});

test("shows what a target sent as text only", () => {
  const markdown = renderMarkdown(sampleReport());
  const outsideOfFences = markdown
    .split(/^`{3,}.*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("");
  expect(outsideOfFences).not.toMatch(/<script|http:\/\/evil|@someone|\]\(/);
  const came = rowsUnder(markdown, head).find(
    ([mark, , operation]) => mark === "accepted" && operation?.startsWith("getV2Idps 200"),
  )?.[5];
  expect(came).toContain("<script>");
  const created = rowsUnder(markdown, "| Kind | Id |");
  expect(created).toEqual([["user", `understudy-probe-1${hostile.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�")}`]]);
});

test("what a target sent does not end its block", () => {
  const report = sampleReport();
  const [first, ...others] = report.summary.violations;
  if (first === undefined) throw new Error("the sample has violations");
  const violations = [{ ...first, curl: "a\n```\n````\n</details> # out" }, ...others];
  const markdown = renderMarkdown({ ...report, summary: { ...report.summary, violations } });
  expect(markdown).toContain("\n`````text\na\n```\n````\n</details> # out\n`````\n");
});

test("says what else there is: known divergences, baseline, probes, coverage", () => {
  const markdown = renderMarkdown(sampleReport());
  expect(rowsUnder(markdown, "| Known divergence | Title | Count |")[0]).toEqual([
    "DIV-001",
    "refusals of the node are JSON",
    "1",
  ]);
  expect(rowsUnder(markdown, "|  | Fingerprint |").map(([state]) => state)).toEqual([
    "fixed",
    "accepted",
    "not looked at",
  ]);
  expect(rowsUnder(markdown, "| Not run | Probes |")).toEqual([
    ["no token of a plain user is given", "plain-user"],
    ["no expired token is given", "expired-token"],
  ]);
  expect(rowsUnder(markdown, "| What | Which | More |")).toContainEqual(["statuses never seen", "getV2Idps", "400"]);
  expect(rowsUnder(markdown, "| What | Which | More |")).toContainEqual([
    "operation never seen",
    "patchV2UsersUser-id",
    "PATCH /v2/users/{user-id}",
  ]);
});

test("shows warnings of one cause as one, with everything that they were at", () => {
  const markdown = renderMarkdown(refusingReport());
  const rows = rowsUnder(markdown, head).filter(([mark]) => mark === "warned");
  expect(rows.map((cells) => cells.slice(1, 4))).toEqual([
    ["refused-tokens-are-401", "getV2Idps 403, GET /v2/idps<br>getV2Users 403, GET /v2/users", "3"],
  ]);
  expect(markdown.match(/^Fingerprints: .*refused.*<br>.*refused/gm)).toHaveLength(1);
});

test("is short where nothing was found, and says so where it shows only a part", () => {
  const fine = renderMarkdown(fineReport());
  expect(fine).toMatch(/^## ✅ understudy check\n\n\*\*The check passes\.\*\* 1 exchange: 1 passed/);
  expect(rowsUnder(fine, head)).toEqual([]);
  const many = renderMarkdown(overflowingReport());
  expect(rowsUnder(many, head)).toHaveLength(200);
  expect(many).toContain("… and 800 further rows: --report FILE.html shows all.");
  expect(many).toContain("3 violations beyond the 1000 kinds that are kept");
  expect(Buffer.byteLength(many)).toBeLessThan(1024 * 1024);
});
