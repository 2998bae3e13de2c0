interface CopyButtonProps {
  readonly label: string;
  /** Empty if this format is not available. */
  readonly text: string;
  /** Receives the result message. */
  readonly report: (sentence: string) => void;
}

export function CopyButton({ label, text, report }: CopyButtonProps) {
  const copy = async () => {
    report("");
    report((await copied(text)) ? `Copied as ${label}.` : "The browser refused to copy.");
  };
  return (
    <button type="button" onClick={copy} disabled={text === ""}>
      Copy as {label}
    </button>
  );
}

/** Copies with the clipboard API, which needs localhost or TLS; otherwise copies a selection. */
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
