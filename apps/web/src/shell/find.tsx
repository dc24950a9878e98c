import { useState } from 'react'
import { useLocation } from 'wouter'
import { limits } from '../data/contracts.values.ts'
import { defineRead, useRead } from '../data/reads.ts'
import { searchedWords } from '../data/searched-words.ts'
import { Badge } from '../ui/badge.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Rows } from '../ui/list.tsx'
import { Text } from '../ui/text.tsx'
import { phaseWords } from '../words/states.ts'
import { IdLink, Link } from './link.tsx'
import { namedPath } from './named-path.ts'
import { pathTo } from './routes.ts'
import { Shown } from './shown.tsx'

const found = defineRead({
  operation: 'listMissions',
  touchedBy: ({ entity }) => entity === 'mission',
})

const most = 12

/** Finds missions by the words of their titles and objectives, and goes to what is named by its id. */
export function Find({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  const query = text.trim()
  const request = { query: searchedWords(text), limit: most }
  const read = useRead(found, request, { enabled: query !== '' })
  const first = read.data?.missions[0]
  return (
    <Dialog title="Find a mission" onClose={onClose} isSheet>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const path =
            namedPath(query) ?? (first && pathTo('mission', { mission: first.displayId }))
          if (path === undefined) return
          go(path)
          onClose()
        }}
      >
        <Field
          label="Words of its title or objectives"
          type="search"
          value={text}
          maxLength={limits.searchCharacters}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      {query !== '' && (
        <p>
          <Link to={pathTo('search', {}, { q: query })} onClick={onClose}>
            All results, and filters
          </Link>
        </p>
      )}
      {query !== '' && (
        <Shown of={read}>
          {({ missions }) =>
            missions.length === 0 ? (
              <p role="status">No mission has these words.</p>
            ) : (
              <Rows label="Missions found" items={missions} keyOf={({ id }) => id}>
                {({ displayId, title, phase }) => (
                  <>
                    <IdLink id={displayId} onClick={onClose} /> <Text>{title}</Text>{' '}
                    <Badge of={phaseWords[phase]} />
                  </>
                )}
              </Rows>
            )
          }
        </Shown>
      )}
    </Dialog>
  )
}
