import type { Spec } from "../../foundation/spec/spec.ts";
import type { RecordingProblem, SkippedEntry } from "../har/entry-cutter.ts";
import type { RecordingItem } from "../har/read-recording.ts";
import { NameKinds } from "./name-kinds.ts";
import { RecordingIndex } from "./recording-index.ts";
import { ShapeReader } from "./request-shape.ts";

/** The index of a recording, the problem at its end, if any, and the first and the number of its skipped entries. */
interface IndexedRecording {
  readonly index: RecordingIndex;
  readonly problem: RecordingProblem | undefined;
  readonly firstSkipped: SkippedEntry | undefined;
  readonly skipped: number;
}

/** Reads a recording once. Stores the position of each exchange and the shape of its request. */
export async function indexRecording(
  recording: AsyncIterable<RecordingItem>,
  spec: Spec,
  onIndexed: (count: number) => void = () => undefined,
): Promise<IndexedRecording> {
  const index = new RecordingIndex();
  const shapes = new ShapeReader(spec, new NameKinds(spec));
  let problem: RecordingProblem | undefined;
  let firstSkipped: SkippedEntry | undefined;
  let skipped = 0;
  for await (const item of recording) {
    if (item.type === "invalid") problem = item;
    else if (item.type === "skipped") {
      firstSkipped ??= item;
      skipped += 1;
    } else {
      const { request, startedAt } = item.exchange;
      index.add(item.place, item.index + 1, shapes.read(request), Date.parse(startedAt));
      onIndexed(index.size);
    }
  }
  index.seal();
  return { index, problem, firstSkipped, skipped };
}
