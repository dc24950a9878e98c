import type { Need } from '@svc/contracts/need'
import { type KeyboardEvent, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useWorkspace } from '../../data/use-workspace.ts'
import { QuestionCard } from '../../parts/question/question-card.tsx'
import { IdLink } from '../../shell/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago, Until } from '../../ui/time.tsx'
import { toast } from '../../ui/toast-store.ts'
import { type NeedOf, wordsOfNeed } from '../../words/needs.ts'
import { NeedActions } from './actions.tsx'
import type { Row } from './held.ts'
import styles from './needs.module.css'
import { placeOf } from './place-of.ts'

interface RowProps {
  row: Row
  /** The keys of the page are those of its question. */
  hasKeys: boolean
  /** Where it is in a list of which a part is here; -1 where nobody knows how long that is. */
  place: { at: number; of: number } | undefined
  /** It was settled here, or has said for long enough that it was settled elsewhere. */
  onGone: () => void
}

/** What somebody else has settled says so for that long, and goes. */
const settledMs = 5_000

export function NeedRow({ row: { key, need, isSettled }, hasKeys, place, onGone }: RowProps) {
  const [, go] = useLocation()
  const { drafts } = useWorkspace()
  useEffect(() => {
    if (!isSettled) return undefined
    const timer = setTimeout(() => {
      // what was typed and not sent stays until somebody has discarded it
      const typed = need.kind === 'question' ? drafts.read(`answer:${need.id}`)?.text : undefined
      if (typed === undefined || typed.trim() === '') onGone()
    }, settledMs)
    return () => clearTimeout(timer)
    // as it stands when the time is over
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isSettled])
  const open = (event: KeyboardEvent) => {
    const path = placeOf(need)
    if (event.key === 'Enter' && event.target === event.currentTarget && path !== undefined) {
      event.preventDefault()
      go(path)
    }
  }
  return (
    <li
      className={styles['row']}
      data-need={key}
      data-settled={isSettled || undefined}
      tabIndex={-1}
      onKeyDown={open}
      {...(place && { 'aria-setsize': place.of, 'aria-posinset': place.at })}
    >
      {need.kind === 'question' ? (
        <AskedRow need={need} isSettled={isSettled} hasKeys={hasKeys} onGone={onGone} />
      ) : (
        <SaidRow need={need} isSettled={isSettled} onGone={onGone} />
      )}
    </li>
  )
}

interface AskedRowProps {
  need: NeedOf<'question'>
  isSettled: boolean
  hasKeys: boolean
  onGone: () => void
}

function AskedRow({ need, isSettled, hasKeys, onGone }: AskedRowProps) {
  return (
    <QuestionCard
      question={need.question}
      title={need.objective.title}
      runner={need.runner}
      hasKeys={hasKeys}
      isGone={isSettled}
      onAnswered={(what) => {
        toast(what)
        onGone()
      }}
      onDone={onGone}
    />
  )
}

/** All but questions: what it is about, why it waits, and what one may do about it. */
function SaidRow({
  need,
  isSettled,
  onGone,
}: Omit<AskedRowProps, 'need' | 'hasKeys'> & { need: Need }) {
  const { wording, about, who, said, settled } = wordsOfNeed(need)
  return (
    <article className={styles['card']} aria-label={about.id ?? about.title}>
      <p className={styles['head']}>
        <Badge of={wording} />
        {about.id !== undefined && <IdLink id={about.id} />}
        <span className={styles['title']}>
          <Text>{about.title === '' ? 'Nothing written yet' : about.title}</Text>
        </span>
        <span className={styles['since']}>
          {who !== null && (
            <>
              <Text>{who}</Text>
              {' · '}
            </>
          )}
          {need.kind === 'ending_token' ? (
            <>
              for <Until at={need.token.endsAt} />
            </>
          ) : (
            <Ago at={need.since} />
          )}
        </span>
      </p>
      {isSettled ? (
        <p>
          <Icon name="check" /> {settled}
        </p>
      ) : (
        <>
          <p className={styles['said']}>
            {said.map((sentence) => (
              <span key={sentence}>
                <Text>{sentence}</Text>{' '}
              </span>
            ))}
          </p>
          <NeedActions need={need} onDone={onGone} />
        </>
      )}
    </article>
  )
}
