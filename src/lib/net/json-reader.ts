import { Tokenizer, TokenParser, TokenType } from "@streamparser/json";
import { turn } from "../loop.ts";

/** Texts up to this length are parsed in one go, which takes a millisecond or two whatever they contain. */
const wholeBytesMax = 64 * 1024;

/** Longer ones are parsed in pieces, with a turn of the event loop for everything else after each. */
const pieceBytes = 128 * 1024;

/** Nodes' answers have at most a quarter of this. Anything beyond is made to exhaust memory. */
const limits = { depth: 16, keysOfObject: 128, values: 1_000_000, numberLength: 128 };

/** The text is not JSON, or not what anybody would reasonably write; `isCutOff`: it may be the beginning of JSON. */
export class NotJson extends Error {
  override readonly name = "NotJson";
  constructor(
    message: string,
    readonly isCutOff: boolean,
  ) {
    super(message);
  }
}

/**
 * Parses JSON in UTF-8 without blocking the event loop, and without using memory for more than its content. Throws a
 * RangeError for more than `bytesMax` or too many values for one answer, and a NotJson for anything else.
 */
export async function readJson(response: Response, bytesMax: number): Promise<unknown> {
  const begun: Uint8Array[] = [];
  let bytes = 0;
  let pieces: ReturnType<typeof createPieces> | null = null;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new RangeError(`more than ${bytesMax} bytes`);
    begun.push(chunk);
    if (bytes <= wholeBytesMax) continue;
    pieces ??= createPieces();
    for (const some of begun.splice(0)) await pieces.take(some);
  }
  if (pieces) return pieces.end();
  const text = Buffer.concat(begun).toString();
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson("not as JSON", text.startsWith("{"));
  }
}

class NodeTokenizer extends Tokenizer {
  override parseNumber(text: string): number {
    // Converting megabytes of digits to a number takes long, and blocks.
    if (text.length > limits.numberLength)
      throw new NotJson(`a number of more than ${limits.numberLength} characters`, false);
    return Number(text);
  }
}

function createPieces() {
  const tokenizer = new NodeTokenizer({ stringBufferSize: pieceBytes, numberBufferSize: pieceBytes });
  const parser = new TokenParser({ paths: ["$"] });
  let value: unknown;
  let values = 0;
  let isWhole = false;
  /** Number of keys so far of each open object and list, from the outermost. */
  const keys: number[] = [];
  let sinceTurn = 0;

  tokenizer.onToken = (token) => {
    switch (token.token) {
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        if (keys.push(0) > limits.depth) throw new NotJson(`nested more than ${limits.depth} deep`, false);
        break;
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        keys.pop();
        break;
      case TokenType.COLON: {
        const count = (keys.pop() ?? 0) + 1;
        if (count > limits.keysOfObject)
          throw new NotJson(`an object of more than ${limits.keysOfObject} fields`, false);
        keys.push(count);
        break;
      }
    }
    if (token.token !== TokenType.COMMA) values += 1;
    if (values > limits.values) throw new RangeError(`more than ${limits.values} values`);
    parser.write(token);
  };
  parser.onValue = (whole) => {
    value = whole.value;
    isWhole = true;
  };
  for (const part of [tokenizer, parser])
    part.onError = (error) => {
      throw error instanceof RangeError || error instanceof NotJson
        ? error
        : new NotJson("not as JSON", true);
    };

  return {
    async take(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        const piece = chunk.subarray(at, at + pieceBytes);
        tokenizer.write(piece);
        sinceTurn += piece.length;
        if (sinceTurn < pieceBytes) continue;
        sinceTurn = 0;
        await turn();
      }
    },
    end(): unknown {
      if (!isWhole) throw new NotJson("not as JSON", true);
      return value;
    },
  };
}
