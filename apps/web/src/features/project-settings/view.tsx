import type { Project } from '@svc/contracts/project'
import { useEffect } from 'react'
import { useWorkspace } from '../../data/use-workspace.ts'
import { PageHead } from '../../shell/pages.tsx'
import { nameTab } from '../../shell/tab-mark.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Text } from '../../ui/text.tsx'
import { settingsKeys } from './keys.ts'
import { LaunchSection } from './launch-section.tsx'
import { ProjectSection } from './project-section.tsx'
import { ResourcesSection } from './resources-section.tsx'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { StatusesSection } from './statuses-section.tsx'

export function SettingsView({ project }: { project: Project }) {
  const { rights } = useWorkspace()
  useEffect(() => {
    nameTab(`Settings of ${project.name}`)
  }, [project.name])
  useKeys(settingsKeys({ mayCall: rights.mayCall, walk, press }))
  return (
    <>
      <PageHead title={<Text>{project.name}</Text>} project={project.slug} />
      <div className={styles['page']}>
        <ProjectSection project={project} />
        <StatusesSection project={project} />
        <ResourcesSection project={project} />
        {rights.mayCall('getLaunchSettings') ? (
          <LaunchSection project={project} />
        ) : (
          <Section id="launch" title="Launch settings">
            <p>What its runs are started with is shown to members of the workspace.</p>
          </Section>
        )}
      </div>
    </>
  )
}

function walk(step: 1 | -1): false | undefined {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-part]')]
  const at = parts.findIndex((part) => part.contains(document.activeElement))
  const next = at === -1 ? parts.at(step === 1 ? 0 : -1) : parts[at + step]
  if (next === undefined) return false
  next.querySelector<HTMLElement>('h2')?.focus()
  return undefined
}

function press(action: string): false | undefined {
  const found = document.querySelector<HTMLElement>(`[data-action="${action}"]`)
  if (found === null) return false
  if (found instanceof HTMLInputElement) found.focus()
  else found.click()
  return undefined
}
