import { expect, test } from "vitest";
import { darOf } from "../../../test/archives/dar-of.ts";
import { IOU } from "../../../test/archives/packages/iou.ts";
import { Body } from "../../foundation/http/body.ts";
import type { Request } from "../../foundation/http/request.ts";
import { CountedLimits } from "../../foundation/limits/counted-limits.ts";
import { limitValues } from "../../foundation/limits/limits.ts";
import { UploadedDars } from "./uploaded-dars.ts";

const dar = darOf(IOU);
const request = (target: string, content: Uint8Array | string = dar): Request => ({
  method: "POST",
  target,
  headers: [],
  body: new Body(content),
});

test("an upload is read ahead, with a pause after each package, and once", async () => {
  const dars = new UploadedDars(new CountedLimits());
  const sent = request("/v2/dars?vetAllPackages=true");
  let pauses = 0;
  await dars.readAhead(sent, async () => {
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(1);
  const read = dars.of(sent.body);
  expect(read).toMatchObject({ type: "read", dar: { main: { package: { id: IOU.id } } } });
  expect(read.type === "read" && read.dar.dependencies.length).toBe(pauses - 1);
  expect(dars.of(sent.body)).toBe(read);
});

test.each(["/v2/dars", "/v2/dars/validate", "/v2/packages"])("POST %s is an upload", (target) => {
  const dars = new UploadedDars(new CountedLimits());
  expect(dars.isUpload(request(target))).toBe(true);
  expect(dars.isUpload({ ...request(target), method: "GET" })).toBe(false);
});

test.each(["/v2/packages/a/status", "/v2/users", "/v2/darsx"])("POST %s is another request", (target) => {
  expect(new UploadedDars(new CountedLimits()).isUpload(request(target))).toBe(false);
});

test.each([
  [
    "archiveEntriesMax",
    10,
    darOf({ ...IOU, uses: IOU.uses.flatMap((used) => Array.from({ length: 10 }, () => ({ ...used }))) }),
  ],
  ["archiveEntryBytesMax", 1024, dar],
  ["archiveBytesMax", 1024, dar],
] as const)("a DAR beyond %s is refused as a zip bomb, and counted", (name, value, content) => {
  const limits = new CountedLimits({ ...limitValues(), [name]: value });
  const read = new UploadedDars(limits).of(new Body(content));
  expect(read).toMatchObject({ type: "refused", code: "ZIP_BOMB", limit: name });
  expect(limits.report().limits.find((limit) => limit.name === name)?.exceeded).toBe(1);
});
