import "./middle-cut.css";

/** Characters at the end of a path that stay visible. */
const tailLength = 20;
/** A shorter beginning is not worth a cut. */
const headLengthMin = 6;

/** A text in one line that loses its middle where space is missing. The end is that of a path, with its query. */
export function MiddleCut({ text }: { readonly text: string }) {
  const { length = 0 } = text.split("?")[0] ?? "";
  const from = length > tailLength + headLengthMin ? length - tailLength : 0;
  return (
    <span class="middle-cut">
      <span>{text.slice(0, from)}</span>
      <span>{text.slice(from)}</span>
    </span>
  );
}
