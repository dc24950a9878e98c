import type { RouteOutput } from '@svc/contracts/rest'
import { useMemo, useState } from 'react'
import { usePages, useRead } from '../../data/reads.ts'
import { ButtonLink, IdLink } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { ShownUntilGone } from '../../shell/shown-until-gone.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { counted } from '../../words/counted.ts'
import { objectiveWords, phaseWords } from '../../words/states.ts'
import { atWork } from './acceptance.ts'
import { Branches } from './branches.tsx'
import { Decision } from './decision.tsx'
import styles from './review.module.css'
import { branchesRead, deliveriesRead, missionRead } from './reads.ts'
import { meaning, meantDelivery } from './story.ts'
import { StoryHead } from './story-head.tsx'
import { Story } from './story-parts.tsx'
import { useNotes } from './use-notes.ts'
import { usePlace } from './use-place.ts'

/** How much of each instruction comes with the mission; all of one is read when it is opened. */
const instructionCharacters = 600

/** What was delivered, in the order of a story, and what becomes of it. */
export function Page({ params }: { params: Readonly<Record<string, string>> }) {
  const read = useRead(missionRead, { id: params['mission'] ?? '', instructionCharacters })
  return (
    <ShownUntilGone of={read} title="Review">
      {(answer) => <Review key={answer.mission.id} {...answer} />}
    </ShownUntilGone>
  )
}

function Review({ mission, objectives }: RouteOutput<'getMission'>) {
  const place = usePlace()
  const notes = useNotes(mission.id)
  const [order, setOrder] = useState<readonly string[]>([])
  const read = usePages(deliveriesRead, { id: mission.id, limit: 20 })
  const branches = useRead(branchesRead, { missionId: mission.id, limit: 50 })
  const displayIds = useMemo(
    () => new Map(objectives.map(({ id, displayId }) => [id, displayId])),
    [objectives],
  )
  const deliveries = read.data?.pages.flatMap((page) => page.deliveries) ?? []
  const busy = atWork(objectives)
  const [newest] = deliveries
  const open = meantDelivery(deliveries, displayIds, place.objective)
  return (
    <>
      <PageHead
        title={
          <>
            <span className={styles['id']}>
              <IdLink id={mission.displayId} />
            </span>{' '}
            <Text>{mission.title}</Text>
          </>
        }
      >
        <span className={styles['state']}>
          <Badge of={phaseWords[mission.phase]} />
          {busy && <Badge of={objectiveWords[busy.state]} />}
          {deliveries.length > 1 && (
            <span>{counted(deliveries.length, 'delivery', 'deliveries')}</span>
          )}
        </span>
      </PageHead>
      <Shown of={read} rows={6}>
        {() =>
          open === undefined ? (
            <>
              <p>Nothing was delivered yet. What an agent delivers is reviewed here.</p>
              <ButtonLink to={pathTo('mission', { mission: mission.displayId })}>
                See the mission
              </ButtonLink>
            </>
          ) : (
            deliveries.map((delivery) => {
              const objective = objectives.find(({ id }) => id === delivery.objectiveId)
              const isOpen = delivery === open
              return (
                <article key={delivery.id} className={styles['story']}>
                  <StoryHead
                    delivery={delivery}
                    objective={objective}
                    isOpen={isOpen}
                    isAlone={deliveries.length === 1}
                    onOpen={() =>
                      place.go({ objective: meaning(deliveries, displayIds, delivery) })
                    }
                  />
                  {isOpen && (
                    <Story
                      key={delivery.id}
                      mission={mission}
                      delivery={delivery}
                      objective={objective}
                      place={place}
                      notes={notes}
                      onOrder={setOrder}
                    />
                  )}
                </article>
              )
            })
          )
        }
      </Shown>
      {read.hasNextPage && (
        <Button onClick={() => void read.fetchNextPage()} disabled={read.isFetchingNextPage}>
          Older deliveries
        </Button>
      )}
      <Shown of={branches} rows={1}>
        {({ branches: found }) => <Branches of={mission} branches={found} />}
      </Shown>
      {open && newest && (
        <Decision
          mission={mission}
          objectives={objectives}
          delivery={open}
          newest={newest}
          notes={notes}
          order={order}
          branches={branches.data?.branches ?? []}
          wanted={place.wanted}
          onNewest={() => place.go({})}
        />
      )}
    </>
  )
}
