import { useStore } from '../data/use-workspace.ts'
import { assertive, polite } from '../ui/announce.ts'
import { Hidden } from '../ui/hidden.tsx'

/** The two places that a screen reader listens to. */
export function LiveRegions() {
  const [quiet, loud] = [useStore(polite), useStore(assertive)]
  return (
    <Hidden>
      <span aria-live="polite" key={`polite-${quiet.count % 2}`}>
        {quiet.text}
      </span>
      <span aria-live="assertive" key={`assertive-${loud.count % 2}`}>
        {loud.text}
      </span>
    </Hidden>
  )
}
