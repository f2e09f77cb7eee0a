/** The product's mark and name. */
export function Logo() {
  return (
    <span class="logo">
      <img class="logo-mark" src="/icon.svg" alt="" width="20" height="20" />
      <span class="logo-name">Outboard</span>
    </span>
  );
}
