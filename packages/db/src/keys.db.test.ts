import { expect, test } from 'vitest'
import { migrateSchema } from './migrate-schema.ts'
import { on, useDatabases } from './testing/databases.ts'

const { emptyDatabase } = useDatabases()

/** Tables of no workspace, each with what its rows belong to. */
const shared: Record<string, string> = {
  workspaces: 'is what all others name',
  users: 'a person, who may be in several workspaces',
  removed_workspaces: 'what is left of a workspace that has gone',
  user_passwords: 'of a person',
  user_identities: 'of a person',
  sign_ins: 'of a person, in all their workspaces',
  reset_links: 'of a person, in all their workspaces',
  openid_requests: 'of a browser that nobody is signed in with yet',
  failed_sign_ins: 'of whoever tries',
  login_requests: 'of no workspace before a person has chosen one',
  oauth_clients: 'an application, for whoever lets it in',
  oauth_requests: 'of no workspace before a person has chosen one',
  setup_link: 'of the service, one row',
  feed_floor: 'of the service, one row',
  sweep_state: 'of the service, one row',
  key_canary: 'of the service, one row',
}

/** What names a row before anybody knows of which workspace it is. */
const secret = 'found by a secret alone, which is what names the workspace'
/** An index led by the workspace passes for the key of a row wherever a plan is made while its table is small. */
const ofOneThing = 'begins with the id of one thing, which is of one workspace'

/** Unique indexes of a workspace's tables that begin with something else. */
const otherwise: Record<string, string> = {
  user_tokens_token_hmac_key: secret,
  agent_sessions_session_key_hash_key: secret,
  invitations_secret_hash_key: secret,
  missions_sequence_project_id_workspace_id_key: ofOneThing,
  objectives_mission_id_key_workspace_id_key: ofOneThing,
  objectives_mission_id_position_workspace_id_key: ofOneThing,
  attachments_by_name: ofOneThing,
  execution_requests_one_live: ofOneThing,
  execution_requests_claim: ofOneThing,
  agent_sessions_one_live: ofOneThing,
  questions_one_pending: ofOneThing,
  deliveries_objective_id_workspace_id_key: ofOneThing,
  run_queue_entries_objective_id_workspace_id_key: ofOneThing,
  run_queue_entries_run_queue_id_position_workspace_id_key: ofOneThing,
  run_queue_entries_one_in_flight: ofOneThing,
  webhook_deliveries_one_per_event: ofOneThing,
}

interface Key {
  name: string
  of: string
  isPrimary: boolean
  isOfWorkspace: boolean
  /** Null for an expression. */
  columns: (string | null)[]
}

const keys = `
  select k.relname as name, t.relname as of, i.indisprimary as "isPrimary",
         exists (select from pg_attribute
                  where attrelid = t.oid and attname = 'workspace_id' and not attisdropped) as "isOfWorkspace",
         array(select a.attname::text from unnest(i.indkey) with ordinality as part(number, place)
                 left join pg_attribute a on a.attrelid = t.oid and a.attnum = part.number and part.number > 0
                order by place) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class k on k.oid = i.indexrelid
   where i.indisunique and t.relnamespace = 'public'::regnamespace and t.relname not like 'kysely%'`

test('keys begin with workspace_id, but for those that are named here', async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  const found = await on<Key>(url, keys)
  const begins = ({ columns }: Key) => columns[0] === 'workspace_id'

  const tablesOfNone = found.filter((key) => key.isPrimary && !begins(key)).map((key) => key.of)
  expect(tablesOfNone.toSorted()).toEqual(Object.keys(shared).toSorted())

  const ofWorkspaces = found.filter((key) => key.isOfWorkspace)
  expect(ofWorkspaces.length).toBeGreaterThan(50)
  const others = ofWorkspaces.filter((key) => !begins(key))
  expect(others.map((key) => key.name).toSorted()).toEqual(Object.keys(otherwise).toSorted())

  // and those of one thing hold the workspace all the same
  const without = others.filter((key) => !key.columns.includes('workspace_id'))
  expect(without.map((key) => otherwise[key.name])).toEqual(without.map(() => secret))
})

test('every table has a primary key, but for branches, which may be of no objective or follow none', async () => {
  const url = await emptyDatabase()
  await migrateSchema(url)
  const without = await on<{ name: string }>(
    url,
    `select relname as name from pg_class t
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_index where indrelid = t.oid and indisprimary) order by 1`,
  )
  expect(without).toEqual([{ name: 'mission_branches' }, { name: 'reserved_branches' }])
})
