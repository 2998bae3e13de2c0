import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { IdText } from "./id-text.tsx";

interface LongTextProps {
  readonly text: string;
  /** Characters that are shown at first. */
  readonly max: number;
  readonly buttonClass?: string;
  /** The element around the text. */
  readonly around: (shown: ComponentChildren) => ComponentChildren;
}

/** A text of which the beginning is shown until the user asks for all. */
export function LongText({ text, max, buttonClass, around }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > max;
  return (
    <>
      {around(<IdText text={isLong && !isWhole ? `${text.slice(0, max)}…` : text} />)}
      {isLong && (
        <button type="button" class={buttonClass} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
    </>
  );
}
