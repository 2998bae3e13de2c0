import { useCopied } from "./use-copied.ts";

interface CopyButtonProps {
  /** What is copied, such as `curl`. */
  readonly label: string;
  /** Empty if this format is not available. */
  readonly text: string;
  /** Receives the result message. */
  readonly report: (sentence: string) => void;
}

export function CopyButton({ label, text, report }: CopyButtonProps) {
  const [isCopied, copyText] = useCopied();
  const copy = async () => {
    report("");
    report((await copyText(text)) ? `Copied ${label}.` : "The browser refused to copy.");
  };
  return (
    <button type="button" class={isCopied ? "is-copied" : undefined} onClick={copy} disabled={text === ""}>
      Copy {label}
    </button>
  );
}
