import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { testAt } from '@svc/api/testing/place'
import type { Place } from '@svc/api/testing/serve-api'
import { runInTest } from '@svc/cli/testing/cli'
import { openHome } from '@svc/runner/files/home'
import { linkCheckout } from '@svc/runner/files/resources'
import { worktreePath } from '@svc/runner/git/worktrees'
import { writeWorktreeFacts } from '@svc/runner/git/worktree-facts'
import type { TestRunner } from '@svc/domain/testing/runner'
import { type Repository, createRepository } from '@svc/testing/temporary'

/** `test` of a file that needs the service behind an address, and the people who use it. */
export const test = testAt((place) => place)

export const branch = 'a-mission-1'

interface Work {
  file?: string
  text?: string
  resourceKey?: string
  /** Where the agent works, when not here. */
  elsewhere?: { repository: Repository; runner: TestRunner }
  /** Another one than the mission's. */
  branch?: string
  /** Another resource in which it has a branch, the mission's where none is named; without a file it changes nothing. */
  alsoIn?: { resourceKey: string; branch?: string; file?: string }
}

/** A person's machine with linked checkouts of a project, and a mission whose agents work in the runner's worktrees. */
export async function openScene({ world, baseUrl }: Place, instructions = ['one', 'two']) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-review-')))
  const resources = [{ resourceKey: 'web', primary: true }, { resourceKey: 'api' }]
  const { alice, project, mission } = await world.missionWith(instructions, { resources })
  const home = openHome(join(folder, 'runner'))
  const own = (label: string) =>
    world.connectedRunner(project, {
      label,
      resources: resources.map(({ resourceKey }) => ({ projectId: project.id, resourceKey })),
    })
  const laptop = await own('laptop')
  const repositoryAt = (name: string) => {
    const repository = createRepository(join(folder, name))
    repository.git('config', 'user.name', 'A person')
    repository.git('config', 'user.email', 'person@example.com')
    return repository
  }
  const link = (resourceKey: string) => {
    const repository = repositoryAt(resourceKey)
    const { id: projectId, slug: projectSlug } = project
    linkCheckout(home, { projectId, projectSlug, resourceKey, path: repository.path })
    return repository
  }
  const checkouts: Record<string, Repository> = { web: link('web') }
  let nth = 0

  function preparedIn({ resourceKey, branch: name = branch }: NonNullable<Work['alsoIn']>) {
    const { git, path: workingDirectory } = (checkouts[resourceKey] ??= link(resourceKey))
    const startSha = git('rev-parse', 'main')
    git('branch', '--no-track', name, 'main')
    const commits = { startSha, baseSha: startSha }
    const checkout = 'worktree' as const
    return {
      resourceKey,
      workingDirectory,
      branch: name,
      missionBranch: name,
      ...commits,
      checkout,
    }
  }

  /** What a run changed there, in the form of its reports. */
  function workIn(other: Work['alsoIn']) {
    const repository = other && checkouts[other.resourceKey]
    if (repository === undefined || other?.file === undefined) return { others: [], stat: [] }
    const { resourceKey, file } = other
    repository.git('switch', '--quiet', other.branch ?? branch)
    const headSha = commitOn(repository, file, 'on\n')
    repository.git('switch', '--quiet', 'main')
    const filePath = `${resourceKey}:${file}`
    return {
      others: [{ resourceKey, headSha }],
      stat: [{ filePath, additions: 1, deletions: 0 }],
    }
  }

  /** Launched, claimed, worked on in a worktree, delivered and ended, as a runner does it. */
  async function work(given: Work = {}) {
    const { file = 'switch.ts', text = 'on\n', resourceKey = 'web', elsewhere } = given
    const runner = elsewhere?.runner ?? laptop
    const repository = elsewhere?.repository ?? (checkouts[resourceKey] ??= link(resourceKey))
    const name = given.branch ?? branch
    const objective = mission.objectives[nth]
    if (objective === undefined) throw new Error('the mission has no such objective')
    nth += 1
    await alice.launch(objective, { resourceKey })
    const lease = await runner.take()
    const named = { projectSlug: project.slug, resourceKey, branch: name }
    const worktree = worktreePath(
      join(folder, elsewhere ? 'elsewhere' : 'runner', 'worktrees'),
      named,
    )
    const startSha = repository.git('rev-parse', 'main')
    if (!repository.git('branch', '--list', name)) {
      mkdirSync(dirname(worktree), { recursive: true })
      repository.git('worktree', 'add', '--quiet', '--no-track', '-b', name, worktree, 'main')
      writeWorktreeFacts(worktree, { mission: mission.displayId, startSha, baseBranch: 'main' })
    }
    const baseSha = repository.git('rev-parse', name)
    await runner.launching(lease, name, {
      missionBranch: branch,
      startSha,
      baseSha,
      workingDirectory: worktree,
      others: given.alsoIn === undefined ? [] : [preparedIn(given.alsoIn)],
    })
    await runner.launched(lease)
    const agent = runner.agent(lease)
    await agent.attach()
    const inTree = (...args: string[]) => repository.git('-C', worktree, ...args)
    writeFileSync(join(worktree, file), text)
    inTree('add', file)
    inTree('commit', '--quiet', '-m', `Write ${file}`)
    const headSha = inTree('rev-parse', 'HEAD')
    const beside = workIn(given.alsoIn)
    const why = { label: 'Switch', summary: 'Adds it', why: 'It was asked for', impact: 'None' }
    await agent.deliver({
      summary: `Wrote ${file}.`,
      changeRationales: [{ filePath: file, ...why }],
    })
    const patch = inTree('diff', baseSha, headSha)
    await runner.diff(lease, {
      baseSha,
      headSha,
      patch,
      stat: [{ filePath: file, additions: 1, deletions: 0 }, ...beside.stat],
      others: beside.others,
    })
    await runner.exited(lease, { headSha, others: beside.others })
    return { worktree, headSha, objective, repository }
  }

  return {
    alice,
    project,
    mission,
    home,
    folder,
    laptop,
    own,
    repositoryAt,
    work,
    web: checkouts['web'] ?? link('web'),
    /** The command line of that person on that machine. */
    svc: (...argv: string[]) =>
      runInTest(
        { SVC_BACKEND_URL: baseUrl, SVC_USER_TOKEN: alice.token, SVC_RUNNER_HOME: home.folder },
        ...argv,
      ),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** All of a checkout that a person would miss, or wonder at. */
export function stateOf({ git, path }: Repository) {
  return {
    head: readFileSync(join(path, '.git', 'HEAD'), 'utf8'),
    branches: git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads'),
    status: git('status', '--porcelain=v1', '--ignored'),
    worktrees: git('worktree', 'list', '--porcelain'),
  }
}

/** A bare repository that the checkout calls origin, with its `main`. */
export function addOrigin({ git }: Repository, path: string) {
  git('init', '--quiet', '--bare', '--initial-branch=main', path)
  git('remote', 'add', 'origin', path)
  git('push', '--quiet', 'origin', 'main')
  git('fetch', '--quiet', 'origin')
  return { path, git: (...args: string[]) => git('--git-dir', path, ...args) }
}

/** Somebody's change to the base. */
export function commitOn({ git, path }: Repository, file: string, text: string): string {
  writeFileSync(join(path, file), text)
  git('add', file)
  git('commit', '--quiet', '-m', `Change ${file}`)
  return git('rev-parse', 'HEAD')
}
