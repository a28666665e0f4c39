import { DeskIcon } from "../icon.tsx";

/** The one field that searches a list. */
export function SearchField({
  label,
  hint,
  query,
  isFocused = false,
}: {
  label: string;
  hint: string;
  query: string;
  isFocused?: boolean;
}) {
  return (
    <div class="search">
      <DeskIcon name="search" />
      <label class="visually-hidden" for="q">
        {label}
      </label>
      <input
        id="q"
        type="search"
        name="q"
        value={query}
        placeholder={hint}
        autocomplete="off"
        maxlength="200"
        dir="auto"
        {...(isFocused ? { autofocus: true } : {})}
      />
    </div>
  );
}
