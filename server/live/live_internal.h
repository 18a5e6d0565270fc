/* live_internal.h: what the files of server/live share.
 *
 *     live.c         the module as a whole; long polls; timed work
 *     topic.c        a watched session: its ring, its subscribers
 *     event.c        the texts of events
 *     shard.c        which subscribers have something to send
 *     shared_send.c  sending to a shard's subscribers with the help of other shards
 *     subscriber.c   what is next for one subscriber
 *     bundle.c       one stream of several sessions
 *     replay.c       pages of the log
 *     presence.c     how many watch, and who
 *     people.c       who watches, as members of an event
 *     cue.c          what somebody shows to all who watch
 *
 * Who watches at the other servers of a database, and their cues, is known to a module
 * (struct elsewhere_calls). */
#ifndef SERVER_LIVE_LIVE_INTERNAL_H
#define SERVER_LIVE_LIVE_INTERNAL_H

#include "server/config.h"
#include "server/json/writer.h"
#include "server/live/live.h"
#include "server/session/session_cache.h"
#include "server/store/session_id.h"
#include "server/util/budget.h"
#include "server/util/error.h"

/* The time that a subscriber that left still counts as present, in whole seconds. */
#define GRACE_S 5
#define GRACE_SLOTS (GRACE_S + 1)

/* The beginning of a stream of Server-Sent Events: the time that a browser waits before it
 * reconnects. */
#define LIVE_RETRY "retry: 2000\n"
/* The text before the id of an event in a stream of several sessions. */
#define LIVE_ID_IN_EVENT "\nid: "
#define LIVE_ID_IN_LINE ",\"id\":\""
/* The id of an `end` there. */
#define LIVE_ENDED "-"

/* A text in the forms that were wanted when it was made. Immutable and reference-counted. */
struct event {
	_Atomic unsigned references;
	uint32_t bytes;                                 /* of all its texts */
	uint32_t revision;                              /* of the last entry in it */
	uint32_t start[LIVE_FORMS], length[LIVE_FORMS]; /* length 0: not made in that form */
	char text[];
};

/* ---- presence ---- */

/* The subscribers with one token, or all without one. With the session cache's lock. */
struct person {
	struct person *next;
	uint32_t token; /* its number; 0: none */
	uint32_t present;
	uint32_t leaving[GRACE_SLOTS]; /* by the second in which they left */
	uint32_t elsewhere;            /* with its token at other servers */
	uint32_t heard;                /* the same, while it is being read again */
	int64_t newest_ms; /* when the newest of them came, if none had left before; 0: none */
	char reported[SESSION_NAME_BYTES + 1]; /* the name that subscribers know; "" for none */
};

struct presence {
	struct person *people;
	int64_t due_ms;     /* when it is reported next; 0: nothing to report */
	int64_t second;     /* up to which graces have ended */
	uint32_t leaving;   /* all within their grace */
	uint32_t elsewhere; /* all at other servers */
};

/* ---- topics ---- */

struct shard;

/* The subscribers of a topic at one shard. */
struct shard_subscribers {
	struct topic *topic;
	struct subscriber *first; /* the shard's thread */
	uint32_t seen;            /* the shard's thread: the head when it was last examined */
	uint32_t count;           /* the topic's lock */
	bool dirty;               /* the shard's lock: it is in its list */
	struct shard_subscribers *next_dirty;
};

/* A cue for other servers. With the session cache's lock. */
struct shared_cue {
	char *json;     /* NULL: none */
	uint32_t actor; /* number of a token; 0: none */
	int64_t time_ms;
};

struct topic {
	_Atomic unsigned references;
	struct live *live;
	uint64_t key;
	int size;
	char id[SESSION_ID_TEXT + 1];

	/* The session cache's lock: */
	struct session *session; /* NULL if it has ended */
	struct topic *previous, *next;
	struct topic *next_timed;
	bool timed; /* in the list of topics that wait for time to pass */
	struct presence presence;
	uint32_t subscribers;
	uint32_t wanted[LIVE_FORMS];    /* subscribers by form */
	uint64_t posted;                /* hash of the notice that may be there; 0: none */
	int64_t held_ms;                /* it stays until then although nobody watches here */
	int64_t cue_ms[LIVE_CUE_KINDS]; /* the times of `cues`; 0: none */
	struct shared_cue shared_cues[LIVE_CUE_KINDS];
	struct topic *next_unmet; /* other servers are to be met (elsewhere.c) */
	bool unmet;               /* it is in that list */

	pthread_mutex_t lock; /* for what follows, and for changes to what shards read */
	uint32_t head;
	bool ended, deleted;
	struct event *ring[LIVE_RING];      /* by revision */
	uint32_t ring_first;                /* no event in the ring is older */
	size_t ring_bytes;                  /* of all events in the ring */
	struct charge ring_charge;          /* these bytes, in live->rings */
	struct event *presence_event;       /* the present one; NULL: none yet */
	struct event *about;                /* the last change of name, access or policy; or NULL */
	struct event *cues[LIVE_CUE_KINDS]; /* the last ones; NULL: none while it was watched */
	struct roster *roster; /* who made its entries, and who may watch; referenced */
	uint8_t access;        /* enum session_access */
	uint32_t presence_serial, about_serial, rights_serial;
	uint32_t cue_serials[LIVE_CUE_KINDS];
	struct shard_subscribers per_shard[LIVE_SHARDS];
};

/* A shard's view of the topic it is sending: copied out under the lock, taken once. */
struct round {
	struct topic *topic;  /* referenced; NULL: none */
	uint32_t first, head; /* events first+1 .. head */
	bool ended, deleted;
	struct event *events[LIVE_RING]; /* by revision; NULL if not in the ring */
	struct event *presence_event, *about, *cues[LIVE_CUE_KINDS];
	struct roster *roster; /* referenced */
	uint8_t access;
	uint32_t presence_serial, about_serial, rights_serial;
	uint32_t cue_serials[LIVE_CUE_KINDS];
};

/* The batches of a shard's subscribers, which other shards may also take and send to. Meanwhile the
 * shard's thread does nothing else, and changes neither the list of subscribers nor the round. */
struct shared_send {
	pthread_mutex_t lock;    /* innermost; for what follows */
	pthread_cond_t done;     /* no helper is sending */
	struct subscriber *next; /* the first not yet taken; NULL: all are taken */
	struct subscriber *left; /* left to the shard's own thread */
	unsigned helpers;        /* number that have taken a batch and are sending */
};

struct shard {
	struct live *live;
	int wake;
	struct round round; /* its thread's; during its turn, shared with the helpers */
	struct shared_send shared_send;
	_Atomic bool wanted; /* live_flush must wake it */
	pthread_mutex_t lock;
	struct shard_subscribers *dirty;
	struct subscriber *woken; /* new, or with a page of the log */
};

/* To one session; or to several, as a bundle, whose members are subscribers too. */
struct subscriber {
	struct topic *topic;   /* referenced; NULL: of a bundle */
	struct bundle *bundle; /* of which it is a member, or that it is; NULL: neither */
	struct shard *shard;
	void *stream;
	struct subscriber *previous, *next; /* on its list of subscribers */
	struct subscriber *next_woken, *next_left;
	struct person *person;
	int64_t joined_ms;
	unsigned form;
	uint32_t token;           /* 0: it may watch by the session's access */
	const char *ending;       /* why it ends: only this is still sent; NULL: it does not end */
	bool end_made;            /* the event `end` was made */
	bool due;                 /* of a bundle: it may have something to send */
	bool listed;              /* it is on its list of subscribers */
	bool failed;              /* the next event could not be made */
	bool reading;             /* a page of the log is being read */
	bool coming;              /* on its way to its shard's turn: new, or with a page */
	bool gone;                /* to be freed when it arrives */
	uint32_t cursor;          /* all up to this revision is sent, or is `sending` */
	uint32_t presence_serial; /* of the presence that was sent */
	uint32_t about_serial;    /* of the `about` event that was sent */
	uint32_t cue_serials[LIVE_CUE_KINDS]; /* of the cues that were sent, or came before it */
	uint32_t rights_serial;               /* of the rights that were checked */
	struct event *sending;                /* partly sent, or for this subscriber alone */
	size_t sent;
	struct event *page; /* read, to be sent; the reader's until the subscriber is woken */
};

struct live {
	struct live_options options;
	struct shard shards[LIVE_SHARDS];
	struct budget *rings; /* memory of the rings of all topics */
	/* The session cache's lock: */
	struct topic *topics, *timed;
	struct live_poll *polls;
	int64_t polls_due_ms; /* no poll is due before */
	int64_t ticked_ms;
	struct elsewhere *elsewhere; /* NULL: the store has no notices */
	int64_t ask_ms;              /* when changes of other processes are asked for next */
	bool stopped;
};

/* event.c; NULL if out of memory. `forms`: bits of the forms to make. */
struct event *event_share(struct event *event);
void event_release(struct event *event); /* NULL is fine */
/* `after`: the state after the entry, which solved the cube if `solved`. A long entry is not made in
 * forms with turns. */
struct event *event_of_entry(const struct topic *topic, unsigned forms, const struct entry *entry,
			     const struct history *after, bool solved);
/* For the subscriber with that token (0: none). `first`: the stream begins with it. */
struct event *event_of_session(const struct topic *topic, unsigned form, const char *name,
			       const struct session *session, uint32_t token, bool first);
/* Make events that describe the session apart from its cube; `revision` is the subscriber's
 * cursor. */
struct event *event_of_about(const struct topic *topic, unsigned forms,
			     const struct session *session, uint32_t revision, bool first);
struct event *event_of_presence(const struct topic *topic, unsigned forms, uint32_t subscribers,
				const struct person *people);
/* In every form, for clients that come later. */
struct event *event_of_cue(const struct topic *topic, const struct live_cue *cue);
struct event *event_of_end(const struct topic *topic, unsigned form, const char *reason);
/* Appends an entry in the way of event_of_entry, however long, and without the standing. */
void event_entry_write(const struct topic *topic, struct buffer *buffer, unsigned form,
		       const struct entry *entry, const struct cube *cube,
		       const struct roster *roster, bool solved);
/* Takes over the buffer. */
struct event *event_of_buffer(struct buffer *buffer, unsigned form, uint32_t revision);

/* live.c; with the session cache's lock: has presence_tick called. */
void topic_time(struct topic *topic);

/* topic.c; with the session cache's lock, in a topic whose session has not ended. */
/* An entry was committed: makes its event. */
void topic_publish(struct topic *topic, const struct history *before,
		   const struct appended *appended);
/* The session is at a later revision, whose entries are in the log. */
void topic_skip(struct topic *topic);
/* Name, access, turn policy or a token changed: makes the event. */
void topic_describe(struct topic *topic);
/* Tokens or access changed: takes the session's. Streams whose right to watch has ended get nothing
 * that is published from now on. */
void topic_update_rights(struct topic *topic);
/* The session ends: the streams end after what was published so far. The topic stays for those that
 * still point to it. */
void topic_end(struct topic *topic);

void subscriber_free(struct subscriber *subscriber);
void topic_release(struct topic *topic);
/* Its roster, referenced; any thread. */
struct roster *topic_roster(struct topic *topic);
static inline struct topic *topic_share(struct topic *topic)
{
	atomic_fetch_add_explicit(&topic->references, 1, memory_order_relaxed);
	return topic;
}
/* Bits of the forms wanted now. With the session cache's lock. */
unsigned topic_forms(const struct topic *topic);
/* With the topic's lock: makes all shards examine it. */
void topic_changed(struct topic *topic);
/* With the session cache's lock: of a session that nobody watches here; NULL if out of memory. */
MUST_USE struct topic *topic_create(struct live *live, struct session *session);
/* The same: sends it to people who watch here. */
MUST_USE bool topic_show_cue(struct topic *topic, const struct live_cue *cue);
/* The same: keeps it for other servers. */
MUST_USE bool topic_keep_cue(struct topic *topic, const struct live_cue *cue);
/* With the session cache's lock: frees the topic if no one watches and no grace is left. */
void topic_settle(struct topic *topic);

/* shard.c */
MUST_USE bool shard_open(struct shard *shard, struct live *live);
void shard_close(struct shard *shard);
void shard_dirty(struct shard *shard, struct shard_subscribers *shard_subscribers);
void shard_woken(struct subscriber *subscriber);
/* Gives it a shard, which learns of the events of the topic from now on. Any thread. */
void subscriber_place(struct subscriber *subscriber, unsigned shard, void *stream);
/* Adds it to its shard's list; on the shard's thread. */
void shard_subscribers_add(struct subscriber *subscriber);
/* Copies what comes after `first` out of the topic. */
void round_copy(struct round *round, struct topic *topic, uint32_t first);
void round_drop(struct round *round);

/* shared_send.c */
void shared_send_open(struct shared_send *shared_send);
void shared_send_close(struct shared_send *shared_send);
/* Sends to all from `first` on, with the help of other shards; then alone what is left. */
void shared_send_run(struct shared_send *shared_send, struct subscriber *first,
		     const struct live_calls *calls);
/* Takes a batch and sends to it; false: there is none. Any thread. */
MUST_USE bool shared_send_help(struct shared_send *shared_send, const struct live_calls *calls);

/* subscriber.c: whether its shard's round has what is next for it. */
MUST_USE bool subscriber_is_covered(const struct subscriber *subscriber);
/* live_fill and live_sent of a subscriber to one session. */
int subscriber_fill(struct subscriber *subscriber, struct iovec *pieces);
void subscriber_sent(struct subscriber *subscriber, size_t bytes);
/* live_leave of a subscriber to one session. */
void subscriber_leave(struct subscriber *subscriber);

/* bundle.c: the same of a bundle. */
int bundle_fill(struct bundle *bundle, struct iovec *pieces);
void bundle_sent(struct bundle *bundle, size_t bytes);
void bundle_leave(struct bundle *bundle);
void bundle_place(struct bundle *bundle, unsigned shard, void *stream);
/* On its shard's thread, once: its members begin to receive the events of their sessions. */
void bundle_list(struct bundle *bundle);
struct live *bundle_live(const struct bundle *bundle);

/* people.c: the members people, names, came and went; with the session cache's lock. */
void people_write(struct out *out, const struct topic *topic, const struct person *people);

/* replay.c: false if out of memory. */
MUST_USE bool replay_begin(struct subscriber *subscriber, uint32_t upto);

/* presence.c; with the session cache's lock */
/* False if out of memory. */
MUST_USE bool presence_enter(struct topic *topic, const struct subscribe_options *options,
			     int64_t now_ms, struct person **person);
/* `joined_ms`: when it entered. */
void presence_leave(struct topic *topic, struct person *person, int64_t joined_ms, int64_t now_ms);
/* The stream was refused after all: as if it had never joined. */
void presence_withdraw(struct topic *topic, struct person *person, int64_t now_ms);
/* Reports presence again, some time later: its names may have changed. */
void presence_changed(struct topic *topic, int64_t now_ms);
/* Ends graces and reports changes. Returns the ms until there is more to do, or -1. */
int64_t presence_tick(struct topic *topic, int64_t now_ms);
void presence_free(struct presence *presence);
/* Returns the number of subscribers with the person's token at this server. */
uint32_t person_watchers_here(const struct person *person);
/* Take the reports of other servers, one token of one server after another. */
void presence_hear_begin(struct topic *topic);
void presence_hear(struct topic *topic, uint32_t token, uint32_t watchers);
void presence_hear_end(struct topic *topic, int64_t now_ms);

/* The functions of a module for servers that share a database (server/modules/postgres/elsewhere.c);
 * with the session cache's lock. */
struct elsewhere_calls {
	/* Sets live->elsewhere; false if out of memory. */
	bool (*open)(struct live *live);
	void (*close)(struct live *live);
	/* Returns the ms until there is more to do, or -1. */
	int64_t (*tick)(struct live *live, int64_t now_ms);
	/* The topic is in the round that the next meeting waits for (live_meet). */
	void (*unmet)(struct topic *topic);
	/* The topic ends. */
	void (*withdraw)(struct topic *topic);
	void (*meet)(struct live *live, struct live_meeting *meeting); /* live_meet */
};

static inline void elsewhere_unmet(struct topic *topic)
{
	if (topic->live->elsewhere)
		topic->live->options.elsewhere->unmet(topic);
}
static inline void elsewhere_withdraw(struct topic *topic)
{
	if (topic->live->elsewhere)
		topic->live->options.elsewhere->withdraw(topic);
}

#endif
