import { below, oneOf, type Random } from "./_draw.ts";
import { nearLimit, valueNearLimit } from "./_near-limits.ts";

const grant = '{"userId":"alice","rights":[]}';
/** Bytes that a decompression turns into many more: the largest ratio of each coding. */
const compressible = ["a", " ", "[", "1,", "\xff"];

/** A body of any kind with a size close to the limit, or with values close to theirs; a character is a byte. */
export function bodyOf(random: Random, bytesMax: number): string {
  const bytes = Math.max(0, nearLimit(random, bytesMax));
  switch (below(random, 5)) {
    case 0:
      return grant + " ".repeat(Math.max(0, bytes - grant.length));
    case 1:
      return `{"userId":"alice","rights":${valueNearLimit(random, bytesMax)}}`;
    case 2:
      return `{"userId":"${"a".repeat(Math.max(0, bytes - 13))}"}`;
    case 3:
      return Array.from({ length: bytes }, (_, index) => String.fromCharCode((index * 7919) % 256)).join("");
    default: {
      const unit = oneOf(random, compressible);
      return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
    }
  }
}
