import type { Spec } from "../../foundation/spec/spec.ts";
import type { RecordingMistake } from "../har/entry-cutter.ts";
import type { Recorded } from "../har/read-recording.ts";
import { NameKinds } from "./name-kinds.ts";
import { RecordingIndex } from "./recording-index.ts";
import { ShapeReader } from "./request-shape.ts";

/** A recording's index, and the mistake in which it ends where there is one. */
export interface Indexed {
  readonly index: RecordingIndex;
  readonly mistake: RecordingMistake | undefined;
}

/** Reads a recording once, and keeps where each exchange stands and what its request is like. */
export async function indexRecording(
  recording: AsyncIterable<Recorded | RecordingMistake>,
  spec: Spec,
  onIndexed: (count: number) => void = () => undefined,
): Promise<Indexed> {
  const index = new RecordingIndex();
  const shapes = new ShapeReader(spec, new NameKinds(spec));
  let mistake: RecordingMistake | undefined;
  for await (const item of recording) {
    if (item.type === "mistaken") mistake = item;
    else {
      const { request, startedAt } = item.exchange;
      index.add(item.place, item.index + 1, shapes.read(request), Date.parse(startedAt));
      onIndexed(index.size);
    }
  }
  index.seal();
  return { index, mistake };
}
