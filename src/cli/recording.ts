import type { Exchange } from "../http/exchange.ts";
import { diskFiles } from "../library/files.ts";
import { readRecording } from "../recording/read-recording.ts";
import { UserError } from "./user-error.ts";

/** The exchanges in a recording. Throws a UserError that says what is wrong with the file. */
export function readExchanges(file: string): readonly Exchange[] {
  const text = diskFiles.read(file);
  if (text === undefined) throw new UserError(`There is no file ${file}, or it cannot be read.`);
  const recording = readRecording(text);
  if (recording.type === "mistaken")
    throw new UserError(`${file} is no recording: ${recording.problem}. Export HAR 1.2 from a browser or proxy.`);
  return recording.exchanges;
}
