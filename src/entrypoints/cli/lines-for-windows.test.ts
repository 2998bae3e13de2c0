import { expect, test } from "vitest";
import { linesForWindows } from "./lines-for-windows.ts";

const lines = [
  '  TOKEN=$(npx understudy token --user alice --jwt-secret "$UNDERSTUDY_JWT_SECRET")',
  '  repeat    curl -sS -H "Authorization: Bearer $TOKEN" "http://h/v2/users?a=1&b=%3A"',
  '  curl -s -d "{\\"a\\":1}" http://h/begin   # the lookup above now gets 409',
  "plain text",
].join("\n");

test.each([
  [
    "win32",
    { PROMPT: "$P$G" },
    "curl",
    `for /f "delims=" %t in ('npx understudy token --user alice --jwt-secret "%UNDERSTUDY_JWT_SECRET%"') do @set TOKEN=%t`,
  ],
  [
    "win32",
    {},
    "curl.exe --%",
    '$env:TOKEN = npx understudy token --user alice --jwt-secret "$env:UNDERSTUDY_JWT_SECRET"',
  ],
] as const)("printed lines fit the shell: %s %j", (platform, variables, curl, token) => {
  expect(linesForWindows(lines, { platform, variables }).split("\n")).toEqual([
    `  ${token}`,
    `  repeat    ${curl} -sS -H "Authorization: Bearer %TOKEN%" "http://h/v2/users?a=1&b=%3A"`,
    `  ${curl} -s -d "{\\"a\\":1}" http://h/begin`,
    "plain text",
  ]);
});

test.each([
  ["linux", {}],
  ["win32", { MSYSTEM: "MINGW64" }],
] as const)("a POSIX shell gets the lines as they are: %s %j", (platform, variables) => {
  expect(linesForWindows(lines, { platform, variables })).toBe(lines);
});
