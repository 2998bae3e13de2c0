import { useEffect, useMemo, useState } from "preact/hooks";
import { copied } from "./copied.ts";
import { idParts } from "./id-parts.ts";

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

const confirmedMs = 1500;

function Id({ id, short }: { readonly id: string; readonly short: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const end = setTimeout(() => setCopied(false), confirmedMs);
    return () => clearTimeout(end);
  }, [isCopied]);
  return (
    <button
      type="button"
      class={isCopied ? "id is-copied" : "id"}
      title={`${id}\nClick to copy`}
      onClick={async () => setCopied(await copied(id))}
    >
      {short}
    </button>
  );
}
