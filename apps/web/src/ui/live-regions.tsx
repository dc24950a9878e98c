import { useState } from 'react'
import type { Store } from '../data/store.ts'
import { useStore } from '../data/use-workspace.ts'
import { type Said, assertive, polite } from './announce.ts'
import { Hidden } from './hidden.tsx'

/** The two places of the page that a screen reader listens to. */
export function LiveRegions() {
  return (
    <Hidden>
      <Region how="polite" of={polite} />
      <Region how="assertive" of={assertive} />
    </Hidden>
  )
}

/** What is behind a dialog is not heard: it has a place of its own. A refusal in it is an alert, and is heard as that. */
export function DialogRegion() {
  return (
    <Hidden>
      <Region how="polite" of={polite} />
    </Hidden>
  )
}

/** It is there before anything is said in it: what comes with a region of its own is not heard by all. */
function Region({ how, of }: { how: 'polite' | 'assertive'; of: Store<Said> }) {
  const { text, count } = useStore(of)
  const [before] = useState(count)
  // said again, the same text is another one
  return <span aria-live={how}>{count !== before && <span key={count}>{text}</span>}</span>
}
