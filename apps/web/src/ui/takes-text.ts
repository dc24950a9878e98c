/** Whatever a letter would go into, or a menu that finds its rows by letters. */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="menu"]') !== null
  )
}
