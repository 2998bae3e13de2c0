import { useEffect, useState } from "preact/hooks";

/** How long a control shows that it has copied. */
const shownMs = 1500;

/** Whether a text was just copied, and the function that copies one; it resolves to whether it worked. */
export function useCopied(): readonly [boolean, (text: string) => Promise<boolean>] {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const end = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(end);
  }, [isCopied]);
  const copy = async (text: string) => {
    const isDone = await copied(text);
    setCopied(isDone);
    return isDone;
  };
  return [isCopied, copy];
}
/** Copies a text with the clipboard API, which needs localhost or TLS; otherwise copies a selection. Returns whether it worked. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "for-copying";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
