import { Hidden } from '../../ui/hidden.tsx'
import { Text } from '../../ui/text.tsx'
import { visible } from '../../words/visible.ts'
import styles from './conflict.module.css'
import { compareWords } from './word-diff.ts'

export function WordDiff({ theirs, mine }: { theirs: string; mine: string }) {
  const pieces = compareWords(theirs, mine)
  if (pieces === undefined) {
    return (
      <>
        <h4>Theirs</h4>
        <Text>{theirs}</Text>
        <h4>Yours</h4>
        <Text>{mine}</Text>
      </>
    )
  }
  return pieces.map(({ text, of }, index) => {
    const shown = visible(text)
    if (of === 'both') return <span key={index}>{shown}</span>
    const Mark = of === 'mine' ? 'ins' : 'del'
    return (
      <Mark key={index} className={styles[of]}>
        <Hidden>{of === 'mine' ? 'Yours: ' : 'Theirs: '}</Hidden>
        {shown}
      </Mark>
    )
  })
}
