import { useMemo } from "preact/hooks";
import { idParts } from "./id-parts.ts";
import { useCopied } from "./use-copied.ts";

/** A text whose long ids are shortened in the middle. Each of them is a button that copies the id. */
export function IdText({ text }: { readonly text: string }) {
  const parts = useMemo(() => idParts(text), [text]);
  return (
    <>
      {parts.map((part, index) =>
        part.short === undefined ? part.text : <Id key={index} id={part.text} short={part.short} />,
      )}
    </>
  );
}

/** Ids up to this length stay in one line. */
const lineMax = 24;

function Id({ id, short }: { readonly id: string; readonly short: string }) {
  const [isCopied, copy] = useCopied();
  return (
    <button
      type="button"
      class={`id${isCopied ? " is-copied" : ""}${short.length <= lineMax ? " is-short" : ""}`}
      title={`${id}\nClick to copy`}
      onClick={() => copy(id)}
    >
      {short}
    </button>
  );
}
