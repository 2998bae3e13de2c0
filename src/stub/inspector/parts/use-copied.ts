import { useEffect, useState } from "preact/hooks";
import { copied } from "./copied.ts";

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
