import type { Project } from '@svc/contracts/project'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import { Fact } from './launch-facts.tsx'
import { ProjectForm, projectDraft } from './project-form.tsx'
import { describePart, partNames, projectTexts } from './project-texts.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { useEditing } from './use-editing.ts'

/** What the project is called, and how its runs use checkouts and time. */
export function ProjectSection({ project }: { project: Project }) {
  const { rights } = useWorkspace()
  const may = rights.mayCall('updateProject')
  const { isEditing, isAsked, edit, end, button } = useEditing(
    projectDraft(project.id),
    Object.keys(partNames),
    may,
  )
  const texts = projectTexts(project)
  return (
    <Section
      id="project"
      title="Project"
      actions={
        may &&
        !isEditing && (
          <Button ref={button} data-action="edit-project" aria-keyshortcuts="e" onClick={edit}>
            Edit
          </Button>
        )
      }
    >
      {isEditing ? (
        <ProjectForm project={project} isAsked={isAsked} onClose={end} />
      ) : (
        <dl className={styles['facts']}>
          <Fact name={partNames.name}>
            <Text>{project.name}</Text>
          </Fact>
          <Fact name="Slug">
            <code>{project.slug}</code>
            <span className={styles['quiet']}> It begins every id of the project, and stays.</span>
          </Fact>
          <Fact name={partNames.defaultBranch}>
            <code>
              <Text>{project.defaultBranch}</Text>
            </code>
          </Fact>
          <Fact name={partNames.useWorktrees}>
            {describePart('useWorktrees', texts.useWorktrees)}
          </Fact>
          <Fact name={partNames.maxRuntimeMinutes}>
            {describePart('maxRuntimeMinutes', texts.maxRuntimeMinutes)}
          </Fact>
          <Fact name="Made">
            <Ago at={project.createdAt} />
          </Fact>
        </dl>
      )}
    </Section>
  )
}
