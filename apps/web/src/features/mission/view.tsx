import { Suspense, lazy, useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'wouter'
import { Questions } from '../../parts/question/questions.tsx'
import { nameTab } from '../../shell/tab-mark.tsx'
import { loadPart } from '../../ui/load-part.ts'
import { TabList, TabPanel } from '../../ui/tabs.tsx'
import { TypedMeanwhile } from '../../ui/typed-meanwhile.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { Header } from './header.tsx'
import styles from './mission.module.css'
import { More } from './more.tsx'
import { NextSteps } from './next-steps.tsx'
import { Objectives } from './objectives.tsx'
import type { Overview } from './patch-overview.ts'
import { type Opened, type Scene, SceneContext, runsOf, useForeseen } from './scene.ts'
import { Timeline } from './timeline/timeline.tsx'
import { useMissionKeys } from './use-mission-keys.ts'
import { type Wanted, readWanted } from './wanted.ts'

// nobody waits for them to see the mission
const Dialogs = lazy(async () => ({
  default: (await loadPart(() => import('./dialogs.tsx'))).Dialogs,
}))

interface ViewProps {
  /** As it was asked for. */
  id: string
  known: Overview
  /** Display id of the one that the address is of. */
  objective: string | undefined
}

type TabKey = 'objectives' | 'timeline' | 'more'

export function MissionView({ id, known, objective }: ViewProps) {
  const foreseen = useForeseen(id, known)
  const { shown } = foreseen
  const named = shown.objectives.find(({ displayId }) => displayId === objective)
  const [expanded, expand] = useState(named?.id)
  const [opened, open] = useState<Opened>()
  const [asked, ask] = useState<string>()
  const [tab, setTab] = useState<TabKey>('objectives')
  const isWide = useWide()
  const parts = useId()
  const chosen = isWide ? undefined : tab
  const act: Scene['act'] = (given, objectiveId) => {
    // to edit a mission is to set what it may and how it goes on
    const isOfMission = given.action === 'edit' && objectiveId === undefined
    const wanted: Wanted = isOfMission ? { action: 'settings' } : given
    flushSync(() => {
      setTab(wanted.action === 'restore' ? 'more' : 'objectives')
      open(openedBy(wanted, objectiveId))
      if (wanted.question !== undefined) ask(wanted.question)
      if (objectiveId !== undefined) expand(objectiveId)
    })
    focusOn(wanted)
  }
  const scene: Scene = { ...foreseen, open, expanded, expand, act }
  useWanted((wanted) => act(wanted, named?.id))
  const { displayId, title } = shown.mission
  useEffect(() => {
    nameTab(`${displayId} ${title}`)
  }, [displayId, title])
  useMissionKeys(scene, () => setTab('objectives'))
  const runnerOf = ({ objectiveId }: { objectiveId: string }) =>
    runsOf(shown, objectiveId)[0]?.runnerLabel
  return (
    <SceneContext value={scene}>
      <Header />
      <Questions of={shown.questions} named={asked} runnerOf={runnerOf} />
      <NextSteps />
      {!isWide && (
        <TabList
          id={parts}
          label="Parts of the mission"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { key: 'objectives', text: `Objectives ${shown.objectives.length || ''}` },
            { key: 'timeline', text: 'Timeline' },
            { key: 'more', text: 'More' },
          ]}
        />
      )}
      <div className={styles['columns']}>
        <div className={styles['work']}>
          <TabPanel id={parts} tab="objectives" chosen={chosen}>
            <Objectives />
          </TabPanel>
          <TabPanel id={parts} tab="more" chosen={chosen}>
            <More />
          </TabPanel>
        </div>
        <div className={styles['side']}>
          <TabPanel id={parts} tab="timeline" chosen={chosen}>
            <Timeline of={shown} />
          </TabPanel>
        </div>
      </div>
      <Suspense fallback={<TypedMeanwhile onGiveUp={() => open(undefined)} />}>
        {opened && <Dialogs opened={opened} scene={scene} />}
      </Suspense>
    </SceneContext>
  )
}

/** What the address asks for is done once: it goes from the address, so that a reload does not do it again. */
function useWanted(act: (wanted: Wanted) => void): void {
  const [search, setSearch] = useSearchParams()
  const text = search.toString()
  useEffect(() => {
    const wanted = readWanted(text)
    if (wanted === undefined) return
    setSearch({}, { replace: true })
    // once this drawing is done
    queueMicrotask(() => act(wanted))
    // what is done is that of the drawing in which the address asked for it
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text])
}

function openedBy(wanted: Wanted, objective: string | undefined): Opened {
  const { action, agent, resourceKey } = wanted
  if (action === 'settings') return { what: 'settings' }
  if (objective === undefined) return undefined
  if (action === 'launch') return { what: 'launch', objective, agent, resourceKey }
  if (action === 'cancel' || action === 'delete' || action === 'queue') {
    return { what: action, objective }
  }
  return undefined
}

const clicked: readonly Wanted['action'][] = ['add-objective', 'edit', 'move']

/** What is no dialog gets the focus, to be done there. */
function focusOn({ action, question }: Wanted): void {
  const selectors = {
    'add-objective': '[data-action="add-objective"]',
    agent: 'select[data-action="agent"]',
    answer: `[aria-label="Questions"] article${question === undefined ? '' : `[data-question="${CSS.escape(question)}"]`}`,
    edit: '[data-action="edit"]',
    move: '[data-action="move"]',
    resource: 'select[data-action="resource"]',
    restore: '[data-action="deleted"] summary',
    resume: '[data-action="resume"]',
    retry: '[data-action="queue"]',
    settings: undefined,
    cancel: undefined,
    delete: undefined,
    launch: undefined,
    queue: undefined,
  } satisfies Record<Wanted['action'], string | undefined>
  const selector = selectors[action]
  if (selector === undefined) return
  const found = document.querySelector<HTMLElement>(`main :is(${selector})`)
  found?.scrollIntoView({ block: 'center' })
  found?.focus()
  if (clicked.includes(action)) found?.click()
}
