import type { MissionMatch } from '@svc/contracts/mission'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { displayIdOf } from '../entities/objectives/views.ts'
import { excerptOf } from './excerpt.ts'
import type { MissionRecord } from '../entities/missions/queries.ts'
import { wordsOf } from '../entities/missions/search.ts'

interface Row {
  mission_id: string
  objective_id: string | null
  key: string | null
  title: string | null
  instruction: string | null
}

/** Of an instruction so much is found by its words. */
const searchedCharacters = 20_000

/** Where the words stand in each of a page of missions; nothing of one that was found by its id alone. */
export async function listMatches(
  db: Queryable,
  missions: readonly MissionRecord[],
  query: string,
): Promise<MissionMatch[]> {
  const [first] = missions
  if (first === undefined) return []
  const ids = missions.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select wanted.id as mission_id, o.id as objective_id, o.key, o.title,
           left(o.instruction, ${searchedCharacters}) as instruction
      from unnest(${ids}::uuid[]) as wanted(id)
     cross join lateral (
       select w.text_id from mission_words w
         left join objectives o on o.workspace_id = w.workspace_id and o.id = w.text_id
        where w.workspace_id = ${first.workspace_id} and w.mission_id = wanted.id
          and w.words @@ ${wordsOf(first.workspace_id, query)}
        order by w.text_id = wanted.id desc, o.position limit 1) as found
      left join objectives o on o.workspace_id = ${first.workspace_id} and o.id = found.text_id`.execute(
    db,
  )
  const byId = new Map(missions.map((mission) => [mission.id, mission]))
  return rows.flatMap((row) => {
    const mission = byId.get(row.mission_id)
    return mission ? [viewMatch(mission, row, query)] : []
  })
}

function viewMatch(mission: MissionRecord, row: Row, query: string): MissionMatch {
  const { objective_id: id, key, title, instruction } = row
  if (id === null || key === null || title === null || instruction === null) {
    return { missionId: mission.id, objective: null, excerpt: null }
  }
  const objective = { id, displayId: displayIdOf(mission, { key }), title }
  const excerpt = excerptOf(instruction, query, `${mission.title} ${title}`) ?? null
  return { missionId: mission.id, objective, excerpt }
}
