import { useEffect, useId, useState } from 'react'
import { TabList, TabPanel } from '../../ui/tabs.tsx'
import { Text } from '../../ui/text.tsx'
import { short } from '../../words/mission.ts'
import { placeOf } from './board.ts'
import styles from './board.module.css'
import { Column } from './column.tsx'
import type { Dragging } from './drag.ts'
import { useScene } from './scene.ts'

/** One column at a time, and the names of all above it. */
export function PhoneColumns({ dragging }: { dragging: Dragging | undefined }) {
  const { board, current, isFollowed } = useScene()
  const id = useId()
  const first = board.columns.find(({ count }) => count > 0) ?? board.columns[0]
  const [chosen, choose] = useState(first?.status.id)
  const shown = board.columns.find(({ status }) => status.id === chosen) ?? first
  const ofCurrent = current && placeOf(board, current)?.column.status.id
  useEffect(() => {
    // the focus goes along with a card that is moved, and over to the next column
    if (current !== undefined && ofCurrent && isFollowed(current)) choose(ofCurrent)
    // where the card is; not whatever else is drawn anew
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ofCurrent])
  if (shown === undefined) return <p>No column has such a phase.</p>
  return (
    <>
      <TabList
        id={id}
        label="Columns"
        chosen={shown.status.id}
        onChoose={choose}
        tabs={board.columns.map(({ status, count, countsMore }) => ({
          key: status.id,
          text: (
            <>
              <Text>{status.label}</Text>{' '}
              <span className={styles['count']}>
                {short(count)}
                {countsMore && '+'}
              </span>
            </>
          ),
        }))}
      />
      <TabPanel id={id} tab={shown.status.id} chosen={shown.status.id}>
        <Column key={shown.status.id} column={shown} dragging={dragging} />
      </TabPanel>
    </>
  )
}
