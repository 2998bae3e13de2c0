interface CopyButtonProps {
  readonly label: string;
  /** Empty where there is no such form. */
  readonly text: string;
  /** Is told what there is to say about it. */
  readonly said: (sentence: string) => void;
}

export function CopyButton({ label, text, said }: CopyButtonProps) {
  const copy = async () => {
    said("");
    said((await copied(text)) ? `Copied as ${label}.` : "The browser does not let a page copy.");
  };
  return (
    <button type="button" onClick={copy} disabled={text === ""}>
      Copy as {label}
    </button>
  );
}

/** The clipboard is there for pages of this machine or with TLS; for others a selection is copied. */
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
