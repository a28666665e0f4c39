/** As NIST SP 800-63B has it, length counts and no kind of character is asked for. */
export const passwordLengthMin = 12;
/** A longer one is a mistake, or an attack on the hash. */
const passwordLengthMax = 200;

export const isPassword = ({ length }: string): boolean =>
  length >= passwordLengthMin && length <= passwordLengthMax;

/** What trying a password takes, in KiB and rounds. It stands in each hash. */
type Cost = { memoryCost: number; timeCost: number };

/** Argon2id as OWASP recommends it, in 64 MiB and about 80 ms. */
const costOfNew: Cost = { memoryCost: 65_536, timeCost: 2 };
const algorithm = "argon2id";

/** Nobody's: an unknown name takes as long as a wrong password. */
const nobodysHash = Bun.password
  .hashSync("nobody", { algorithm, memoryCost: 8, timeCost: 1 })
  .replace(/\$m=\d+,t=\d+,/, `$m=${costOfNew.memoryCost},t=${costOfNew.timeCost},`);

/** So many wait for their turn; a flood beyond is told to come again. */
const waitingMax = 8;

/** Whether a password was right; `busy` when too many are asked for at once. */
type PasswordCheck = "right" | "wrong" | "busy";

/**
 * Hashes and checks passwords, one at a time and outside of the event loop: 64 MiB and a processor are taken once,
 * however many guess.
 */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** `hash` is null when there is nobody of that name. Who `isKnown` goes before all others and always has a turn. */
  check(password: string, hash: string | null, isKnown: boolean): Promise<PasswordCheck>;
};

type Turn = () => Promise<void>;

/** `cost` is that of new hashes. */
export function createPasswords(cost = costOfNew): Passwords {
  const members: Turn[] = [];
  const strangers: Turn[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      const turn = members.shift() ?? strangers.shift();
      if (turn === undefined) break;
      await turn();
    }
    isRunning = false;
  }

  const take = <T>(queue: Turn[], work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push(() => work().then(resolve, reject));
      void run();
    });

  return {
    hash: (password) => take(members, () => Bun.password.hash(password, { algorithm, ...cost })),
    async check(password, hash, isKnown) {
      if (!isKnown && strangers.length >= waitingMax) return "busy";
      const text = password.slice(0, passwordLengthMax + 1);
      const isRight = await take(isKnown ? members : strangers, () =>
        Bun.password.verify(text === "" ? " " : text, hash ?? nobodysHash),
      );
      return isRight && hash !== null ? "right" : "wrong";
    },
  };
}
