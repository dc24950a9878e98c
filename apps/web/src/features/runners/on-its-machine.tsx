import type { RunnerDetail } from '@svc/contracts/runner-detail'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CallerChoice } from '../../parts/first-run/caller-choice.tsx'
import { runnerCommand, startCommand, trustCommand } from '../../parts/first-run/commands.ts'
import { FolderToLink } from '../../parts/first-run/link-command.tsx'
import { soughtWords } from '../../parts/first-run/no-agent.tsx'
import { Shown } from '../../shell/shown.tsx'
import { CopyCommand } from '../../ui/copy.tsx'
import { Select } from '../../ui/select.tsx'
import { visible } from '../../words/visible.ts'
import { projects } from './reads.ts'
import styles from './runners.module.css'

/** What only the machine of the runner can do, as commands to copy. */
export function OnItsMachine({ of: { state, checkouts } }: { of: RunnerDetail }) {
  const { slug } = useWorkspace()
  const slugs = [...new Set(checkouts.map(({ project }) => project.slug))]
  return (
    <div className={styles['machine']}>
      <CallerChoice />
      {state !== 'connected' && (
        <>
          <h4 className={styles['small']}>Start it again</h4>
          <p className={styles['quiet']}>It takes launches until Ctrl-C.</p>
          <CopyCommand command={startCommand} />
          <p className={styles['quiet']}>Where it says that nobody is signed in there any more:</p>
          <CopyCommand command={runnerCommand({ service: location.origin, workspace: slug })} />
        </>
      )}
      <h4 className={styles['small']}>Give it an agent</h4>
      <p className={styles['quiet']}>
        It offers {soughtWords} where they are on its PATH when it is started. How any other one is
        called stands in <code>agents.json</code> in its folder, which it prints at its start, as{' '}
        <code>docs/agents.md</code> of svc says.
      </p>
      <h4 className={styles['small']}>Link a repository</h4>
      <LinkInProject />
      {slugs.length > 0 && (
        <h4 className={styles['small']}>Look at launch settings, and trust them</h4>
      )}
      {slugs.length > 0 && (
        <p className={styles['quiet']}>
          The launch settings of a project are commands that this machine runs. It runs none before
          they were trusted there.
        </p>
      )}
      {slugs.map((slug) => (
        <CopyCommand key={slug} command={trustCommand(slug)} />
      ))}
    </div>
  )
}

/** The same for a machine whose runner has just come. */
export function LinkRepository() {
  return (
    <>
      <h3 className={styles['small']}>Link a repository on it</h3>
      <p className={styles['quiet']}>Run this on the same machine, in another terminal.</p>
      <LinkInProject />
    </>
  )
}

function LinkInProject() {
  const read = useRead(projects, {})
  const [chosen, choose] = useState<string>()
  return (
    <Shown of={read} rows={1}>
      {({ projects: all }) => {
        const project = all.find(({ slug }) => slug === chosen) ?? all[0]
        if (project === undefined) return <p>There is no project yet to link one to.</p>
        return (
          <>
            <Select
              label="Project"
              value={project.slug}
              choices={all.map(({ slug, name }) => ({ value: slug, text: visible(name) }))}
              onChoose={choose}
            />
            <FolderToLink project={project.slug} />
          </>
        )
      }}
    </Shown>
  )
}
