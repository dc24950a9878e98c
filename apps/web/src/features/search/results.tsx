import type { Mission, MissionMatch } from '@svc/contracts/mission'
import type { RouteOutput } from '@svc/contracts/rest'
import { type Ref, useEffect } from 'react'
import { Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { announce } from '../../ui/announce.ts'
import { Badge } from '../../ui/badge.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/counted.ts'
import { priorityWords } from '../../words/mission.ts'
import { phaseWords } from '../../words/states.ts'
import { Marked } from './marked.tsx'
import styles from './search.module.css'

interface ResultsProps {
  list: Ref<HTMLUListElement>
  pages: readonly RouteOutput<'listMissions'>[]
  /** Undefined where missions are not looked for by words. */
  query: string | undefined
  hasMore: boolean
}

/** The newest first. */
export function Results({ list, pages, query, hasMore }: ResultsProps) {
  const missions = pages.flatMap((page) => page.missions)
  const matches = new Map(
    pages.flatMap((page) => page.matches ?? []).map((match) => [match.missionId, match]),
  )
  const said =
    missions.length === 0
      ? 'No mission is as you ask for.'
      : `${counted(missions.length, 'mission')}${hasMore ? ', and more' : ''}`
  useEffect(() => announce(said), [said])
  return (
    <>
      <p className={styles['quiet']}>{said}</p>
      <ul ref={list} className={styles['rows']} aria-label="Missions">
        {missions.map((mission) => (
          <Result
            key={mission.id}
            mission={mission}
            match={matches.get(mission.id)}
            query={query ?? ''}
          />
        ))}
      </ul>
    </>
  )
}

interface ResultProps {
  mission: Mission
  match: MissionMatch | undefined
  query: string
}

function Result({ mission, match, query }: ResultProps) {
  const { displayId, title, phase, priority, updatedAt } = mission
  const { sign, word } = priorityWords[priority]
  return (
    <li className={styles['row']}>
      <Link
        to={pathTo('mission', { mission: displayId })}
        className={styles['title']}
        data-found={displayId}
      >
        <Text>{displayId}</Text> <Marked query={query}>{title}</Marked>
      </Link>
      <Badge of={phaseWords[phase]} />
      {sign !== '' && (
        <span className={styles['quiet']}>
          <span aria-hidden="true">{sign}</span> {word}
        </span>
      )}
      <span className={styles['when']}>
        changed <Ago at={updatedAt} />
      </span>
      {match?.objective && (
        <p className={styles['match']}>
          <Link to={pathTo('objective', { objective: match.objective.displayId })}>
            <Text>{match.objective.displayId}</Text>
          </Link>{' '}
          <Marked query={query}>{match.excerpt ?? match.objective.title}</Marked>
        </p>
      )}
    </li>
  )
}
