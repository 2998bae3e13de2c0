import type { Spec } from "../../foundation/spec/spec.ts";
import type { RecordingProblem } from "../har/entry-cutter.ts";
import type { Recorded } from "../har/read-recording.ts";
import { NameKinds } from "./name-kinds.ts";
import { RecordingIndex } from "./recording-index.ts";
import { ShapeReader } from "./request-shape.ts";

/** The index of a recording, and the problem at its end, if any. */
export interface IndexedRecording {
  readonly index: RecordingIndex;
  readonly problem: RecordingProblem | undefined;
}

/** Reads a recording once. Stores the position of each exchange and the shape of its request. */
export async function indexRecording(
  recording: AsyncIterable<Recorded | RecordingProblem>,
  spec: Spec,
  onIndexed: (count: number) => void = () => undefined,
): Promise<IndexedRecording> {
  const index = new RecordingIndex();
  const shapes = new ShapeReader(spec, new NameKinds(spec));
  let problem: RecordingProblem | undefined;
  for await (const item of recording) {
    if (item.type === "invalid") problem = item;
    else {
      const { request, startedAt } = item.exchange;
      index.add(item.place, item.index + 1, shapes.read(request), Date.parse(startedAt));
      onIndexed(index.size);
    }
  }
  index.seal();
  return { index, problem };
}
