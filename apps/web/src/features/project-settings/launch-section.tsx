import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import type { Project } from '@svc/contracts/project'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { agents } from '../../parts/launch/reads.ts'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { LaunchFacts } from './launch-facts.tsx'
import { LaunchForm, launchDraft } from './launch-form.tsx'
import { PreviewPanel, type ShownAgent } from './preview-panel.tsx'
import { launchSettings } from './reads.ts'
import { Section } from './section.tsx'
import { settingNames } from './setting-names.ts'
import styles from './settings.module.css'
import { useEditing } from './use-editing.ts'
import { usePreview } from './use-preview.ts'

/** What the runs of the project are started with. */
export function LaunchSection({ project }: { project: Project }) {
  const { rights } = useWorkspace()
  const may = rights.mayCall('updateLaunchSettings')
  const read = useRead(launchSettings, { id: project.id })
  const { isEditing, isAsked, edit, end, button } = useEditing(
    launchDraft(project.id),
    Object.keys(settingNames),
    may,
  )
  return (
    <Section
      id="launch"
      title="Launch settings"
      actions={
        may &&
        !isEditing && (
          <Button ref={button} data-action="edit-launch" aria-keyshortcuts="l" onClick={edit}>
            Edit
          </Button>
        )
      }
    >
      <Shown of={read} rows={5}>
        {({ launchSettings: settings }) => (
          <Settings
            project={project}
            settings={settings}
            isEditing={isEditing}
            isAsked={isAsked}
            onClose={end}
          />
        )}
      </Shown>
    </Section>
  )
}

interface SettingsProps {
  project: Project
  settings: ProjectLaunchSettings
  isEditing: boolean
  isAsked: boolean
  onClose: () => void
}

function Settings({ project, settings, isEditing, isAsked, onClose }: SettingsProps) {
  const [showsValues, showValues] = useState(false)
  const agent = useShownAgent(settings)
  const hasValues = Object.keys(settings.launchEnvVars).length > 0
  return (
    <>
      {hasValues && (
        <div>
          <Button look="bare" aria-pressed={showsValues} onClick={() => showValues(!showsValues)}>
            {showsValues ? 'Hide the values of variables' : 'Show the values of variables'}
          </Button>
        </div>
      )}
      <div className={styles['beside']}>
        {isEditing ? (
          <LaunchForm
            project={project}
            settings={settings}
            agent={agent}
            showsValues={showsValues}
            isAsked={isAsked}
            onClose={onClose}
          />
        ) : (
          <>
            <LaunchFacts settings={settings} showsValues={showsValues} />
            <SavedPreview project={project} agent={agent} showsValues={showsValues} />
          </>
        )}
      </div>
    </>
  )
}

interface SavedPreviewProps {
  project: Project
  agent: ShownAgent
  showsValues: boolean
}

function SavedPreview({ project, agent, showsValues }: SavedPreviewProps) {
  const preview = usePreview({ id: project.id, agent: agent.key })
  return (
    <PreviewPanel
      project={project}
      preview={preview}
      agent={agent}
      showsValues={showsValues}
      isWritten={false}
    />
  )
}

/** The one that somebody has chosen, else one that the project has settings for, else one that a runner offers. */
function useShownAgent(settings: ProjectLaunchSettings): ShownAgent {
  const { rights } = useWorkspace()
  const [chosen, choose] = useState<string>()
  const mayRead = rights.mayCall('listAgents')
  const { data, isError } = useRead(agents, {}, { enabled: mayRead })
  const known = data?.agents ?? []
  const [set] = Object.keys(settings.agents)
  const isRead = data !== undefined || isError || !mayRead
  // which one is meant may depend on what is read
  const key = chosen ?? set ?? known[0]?.key ?? (isRead ? 'claude' : '')
  return { key, known, isRead, choose }
}
