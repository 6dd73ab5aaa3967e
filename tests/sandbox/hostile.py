"""Programs that try to do what a sandbox must not do.

Each defines `attack(bait)`, which is run inside; `bait` says what there is outside to go for: it
is made by `outside.Outside`, which also looks whether anything came of it. An attack tells what it
managed, one text for each thing tried: "refused" and why, or "done" and what it got.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Literal

import turned_back

GUEST = b"""
def serve(payload):
    scope = {}
    exec(payload, scope)
    return scope["attack"]
"""

PRELUDE = """
import ctypes, errno, json, os, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)

def tried(*attempts):
    said = []
    for attempt in attempts:
        try:
            said.append("done: %.200r" % (attempt(),))
        except BaseException as error:
            said.append("refused: %r" % (error,))
    return json.dumps(said).encode()

def call(number, *arguments):
    words = [a if isinstance(a, (bytes, type(None))) or hasattr(a, "_objects")
             else ctypes.c_long(a) for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result

def first(path):
    with open(path, "rb", buffering=0) as file:
        return file.read(20)

def write(path, flags=os.O_WRONLY | os.O_CREAT):
    file = os.open(path, flags, 0o666)
    return os.write(file, b"written")

def worked(status):
    if status:
        raise PermissionError(errno.EPERM, "it did not work")
    return status

X86 = os.uname().machine == "x86_64"

def frame(key, body=b""):
    return key + struct.pack("<I", len(body)) + body

def key():
    "The key of the request that is being answered: the runtime's secret, found on the stack."
    at = sys._getframe()
    while at.f_code.co_name != "_answer_all":
        at = at.f_back
    return at.f_locals["key"]
"""

Ending = Literal["refused", "said", "gone", "late", "over", "nonsense"]


@dataclass(frozen=True)
class Attack:
    """A program, and what is to become of it."""

    name: str
    source: str
    ends: Ending = "refused"
    """`refused`: all that it tries; `said`: it says what `words` is a pattern of, in full; `over`:
    gone or late. Bubblewrap holds the pipes too, so that there a closed pipe is silence."""

    words: str = ""
    """A pattern of the reason, or of what is said."""

    plain: bool = False
    """Whether it manages something without a sandbox, and harms nobody by it."""

    again: bool = False
    """Whether it is asked a second time, for the first answer may look right."""

    x86: bool = False


def body(text: str) -> str:
    """Return a program whose attack is a body."""
    return "def attack(bait):\n    bait = json.loads(bait)\n" + "\n".join(
        "    " + line for line in text.strip("\n").split("\n")
    )


def tries(*attempts: str, first: str = "") -> str:
    """Return a program that tries expressions."""
    each = ", ".join(f"lambda: {attempt}" for attempt in attempts)
    return body(f"{first}\nreturn tried({each})".strip())


def learns(*attempts: str, first: str = "") -> str:
    """Return a program that tells which expressions do not fail with EPERM, whatever there is.

    Another error would say something: that a name or a process does not exist.
    """
    return (
        tries(*attempts, first=first)
        + """

everything = attack

def attack(bait):
    said = json.loads(everything(bait))
    return json.dumps([one for one in said if "PermissionError(1," not in one]).encode()
"""
    )


def syscalls(*calls: str) -> str:
    """Return a program that tries system calls: numbers on x86-64 and aarch64, and arguments."""
    each = []
    for text in calls:
        x86, arm, *rest = text.split(" ", 2)
        number = f"({x86} if X86 else {arm})"
        each.append(f"call({number}, {rest[0]})" if rest else f"call({number})")
    return tries(*each)


LOOK = (
    inspect.getsource(turned_back)
    + """
import gc, hashlib

def frames():
    frame = sys._getframe()
    while frame is not None:
        yield from (frame.f_locals, frame.f_globals, frame.f_builtins)
        frame = frame.f_back
"""
)


def looks(things: str) -> str:
    """Return a program that looks for the seed behind its token: turns back all numbers there are.

    It says which of them are the seed, which it knows by a mark alone.
    """
    return LOOK + body(f"""
token = bytes.fromhex(bait["token"])
held = numbers([token, *{things}])
seeds = {{seed for number in held for seed in [number, *undone(number)]}}
known = [hashlib.sha256(seed.to_bytes(8, "little")).hexdigest() for seed in seeds]
return json.dumps([seed for seed in known if seed == bait["mark"]]).encode()
""")


ATTACKS = [
    # --- reading what is not its own
    Attack(
        "read the list of users",
        tries("first('/etc/passwd')", "first('/etc/hostname')"),
        plain=True,
    ),
    Attack("read another bot", tries("first(bait['secret'])"), plain=True),
    Attack(
        "list folders",
        tries(
            *(f"os.listdir({folder!r})" for folder in ("/", "/tmp", "/home", "/etc", "/dev", ".")),
            "os.listdir(bait['folder'])",
            "os.listdir(os.path.expanduser('~root'))",
        ),
        plain=True,
    ),
    Attack("list processes", tries("os.listdir('/proc')", "os.listdir('/proc/self')"), plain=True),
    Attack(
        "read the parent's environment",
        tries(
            "first('/proc/1/environ')",
            "first('/proc/%d/environ' % os.getppid())",
            "first('/proc/%d/environ' % bait['parent'])",
            "first('/proc/%d/cmdline' % bait['bystander'])",
            "os.readlink('/proc/%d/cwd' % bait['bystander'])",
            "os.readlink('/proc/%d/exe' % bait['parent'])",
        ),
        plain=True,
    ),
    Attack(
        "read its own state in /proc",
        tries("first('/proc/self/status')", "first('/proc/self/mem')", "first('/proc/net/tcp')"),
        plain=True,
    ),
    Attack(
        "open memory of others",
        tries(
            *(
                f"os.open('/proc/%d/mem' % bait['{who}'], {flags})"
                for who in ("parent", "bystander", "other")
                for flags in ("os.O_RDONLY", "os.O_RDWR")
            )
        ),
        plain=True,
    ),
    Attack(
        "read memory of others by a call",
        tries(
            *(
                f"vm(({number}), bait['{who}'])"
                for number in ("310 if X86 else 270", "311 if X86 else 271")
                for who in ("parent", "bystander", "other")
            ),
            first="""
def vm(number, pid):
    room = ctypes.create_string_buffer(64)
    pair = (ctypes.c_ulong * 2)(ctypes.addressof(room), 64)
    return call(number, pid, ctypes.addressof(pair), 1, ctypes.addressof(pair), 1, 0)
""".strip(),
        ),
    ),
    Attack(
        "find secrets in its own process",
        body("""
import gc
word = 'CANARY' + '-'
found = [key for key, value in os.environ.items() if word in key + value]
for thing in gc.get_objects():
    if isinstance(thing, dict):
        for key, value in list(thing.items()):
            if word in str(key) or isinstance(value, str) and word in value:
                found.append(str(key))
usual = {'LC_ALL', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'PYTHONHASHSEED', 'PWD'}
extra = sorted(set(os.environ) - usual)
return json.dumps([found, extra]).encode()
"""),
        ends="said",
        words=r"\[\[\], \[\]\]",
    ),
    *(
        Attack(f"turn its token back, and look in {place}", looks(things), "said", r"\[\]")
        for place, things in {
            "frames": "reached(frames(), 5)",
            "closures": "reached([f for f in gc.get_objects() if hasattr(f, '__closure__')], 3)",
            "gc": "gc.get_objects(), *gc.get_referents(*gc.get_objects())",
            "sys.modules": "reached([sys.modules, os.environ, sys.argv, sys.orig_argv], 5)",
        }.items()
    ),
    Attack(
        "find inherited descriptors",
        body("""
import fcntl
found = []
for file in range(2000):
    try:
        fcntl.fcntl(file, fcntl.F_GETFD)
        os.lseek(file, 0, os.SEEK_CUR)
    except OSError as error:
        if error.errno == errno.EBADF:
            continue
        found.append([file, errno.errorcode[error.errno]])
    else:
        found.append([file, ""])
return json.dumps(found).encode()
"""),
        ends="said",
        words=r"\[(\[[0-4], \"ESPIPE\"\](, )?){5}\]",  # pipes, each of them
    ),
    Attack("read from a terminal", tries("input()", "sys.stdin.buffer.read(1) or input()")),
    Attack(
        "open devices",
        tries(
            *(
                f"os.open('/dev/{name}', os.O_RDONLY)"
                for name in ("tty", "mem", "kmsg", "null", "vda", "pts/0")
            )
        ),
        plain=True,
    ),
    Attack(
        "open by a handle",
        tries(
            "call(303 if X86 else 264, -100, bait['folder'].encode(), room, room, 0)",
            "call(304 if X86 else 265, 3, room, 0)",
            first="room = ctypes.create_string_buffer(b'\\x80\\0\\0\\0' + bytes(200))",
        ),
    ),
    Attack(
        "take the parent's descriptors",
        syscalls("434 434 bait['parent'], 0", "438 438 0, 1, 0"),
        plain=True,
    ),
    Attack(
        "import what is not installed",
        tries("__import__('hostile')", "__import__('llvmlite_of_nobody')"),
    ),
    # --- writing
    Attack(
        "write files",
        tries(
            "write(bait['marker'])",
            "write('written')",
            "write('/tmp/written')",
            "write('/dev/shm/written')",
            "write(os.__file__ + '.written')",
            "write(os.__file__, os.O_WRONLY | os.O_APPEND)",
            "write(sys.executable, os.O_RDWR)",
            "os.open(bait['folder'], os.O_TMPFILE | os.O_RDWR)",
        ),
    ),
    Attack(
        "change another bot",
        tries(
            "write(bait['secret'], os.O_WRONLY | os.O_TRUNC)",
            "os.truncate(bait['secret'], 0)",
            "os.unlink(bait['secret'])",
            "os.rename(bait['secret'], bait['marker'])",
            "os.chmod(bait['secret'], 0)",
            "os.chown(bait['secret'], 1, 1)",
            "os.utime(bait['secret'], (0, 0))",
            "os.setxattr(bait['secret'], 'user.a', b'b')",
            "os.link(bait['secret'], bait['marker'])",
        ),
    ),
    Attack(
        "make names",
        tries(
            "os.mkdir(bait['marker'])",
            "os.symlink('/', bait['marker'])",
            "os.mkfifo(bait['marker'])",
            "os.mknod(bait['marker'])",
            "os.mkdir('/new')",
            "os.mkdir('/tmp/new')",
            "os.rmdir(bait['folder'])",
        ),
    ),
    Attack("go elsewhere", tries("os.chdir(bait['folder'])", "os.chroot('/usr')", "os.fchdir(0)")),
    # --- the network
    Attack(
        "connect by TCP",
        tries(
            "socket.create_connection(('127.0.0.1', bait['tcp']), 1)",
            "socket.create_connection(('::1', bait['tcp']), 1)",
        ),
        plain=True,
    ),
    Attack(
        "send by UDP",
        tries("socket.socket(2, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', bait['udp']))"),
    ),
    Attack(
        "connect to unix sockets",
        tries(
            "socket.socket(socket.AF_UNIX).connect(bait['unix'])",
            "socket.socket(socket.AF_UNIX).connect('\\0' + bait['abstract'])",
        ),
    ),
    Attack(
        "make sockets",
        tries(
            "socket.socketpair()",
            "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
            "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
            "socket.socket(socket.AF_PACKET)",
            "socket.socket(38)",
            "socket.socket(40)",  # AF_ALG, AF_VSOCK
        ),
        plain=True,
    ),
    Attack("look names up", tries("socket.getaddrinfo('localhost.example', 80)")),
    # --- processes
    Attack(
        "fork",
        tries(
            "os.fork() or os._exit(0)",
            "os.forkpty()",
            "call(57 if X86 else 220, 17, 0, 0, 0, 0)",
        ),
    ),
    Attack("vfork", syscalls("58 220 0x4111, 0, 0, 0, 0"), x86=True),
    Attack(
        "execute",
        tries(
            "os.execv(sys.executable, ['python', '-c', ''])",
            "os.execv('/bin/sh', ['sh'])",
            "call(322 if X86 else 281, 0, b'', None, None, 0x1000)",
        ),
    ),
    Attack(
        "run a command",
        tries(
            "__import__('subprocess').run(['true'], check=True)",
            "os.posix_spawn('/bin/true', ['true'], {})",
            "worked(os.system('true'))",
            "os.popen('true')",
        ),
        plain=True,
    ),
    Attack(
        "start threads",
        tries(
            "__import__('_thread').start_new_thread(print, ())",
            "__import__('concurrent.futures').futures.ThreadPoolExecutor().submit(print)",
            "__import__('multiprocessing').Process(target=print).start()",
        ),
        plain=True,
    ),
    Attack(
        "clone into new namespaces",
        syscalls(
            "56 220 0x10000011, 0, 0, 0, 0",
            "435 435 bytes(88), 88",
            "272 97 0x10000000",
            "272 97 0x20000",
            "272 97 0x40000000",
            "308 268 0, 0",
        ),
    ),
    Attack(
        "mount",
        syscalls(
            "165 40 b'none', b'/', b'tmpfs', 0, None",
            "166 39 b'/usr', 2",
            "155 41 b'/usr', b'/usr'",
            "428 428 -100, b'/', 1",
            "430 430 b'tmpfs', 0",
            "442 442 -100, b'/', 0, bytes(32), 32",
        ),
    ),
    Attack(
        "freeze others by ptrace",
        syscalls(
            *(
                f"101 117 {request}, bait['{who}'], 0, 0"
                for request in ("16", "0x4206")  # attach, seize
                for who in ("parent", "bystander", "other")
            ),
            "101 117 16, os.getppid(), 0, 0",
            "101 117 0, 0, 0, 0",
        ),
    ),
    Attack(
        "signal others",
        tries(
            *(
                f"os.kill({pid}, {number})"
                for number in (9, 19, 0)
                for pid in (
                    "bait['parent']",
                    "bait['bystander']",
                    "bait['other']",
                    "os.getppid() or 1",
                    "1",
                )
            ),
            "os.killpg(0, 0)",
            "os.kill(-1, 0)",
            "call(200 if X86 else 130, bait['bystander'], 9)",
            "call(234 if X86 else 131, bait['bystander'], bait['bystander'], 9)",
            "call(129 if X86 else 138, bait['bystander'], 9, bytes(128))",
            "signal.pidfd_send_signal(os.pidfd_open(bait['bystander']), 9)",
        ),
    ),
    Attack("stop itself", tries("os.kill(os.getpid(), 19)", "signal.raise_signal(19)")),
    Attack(
        "have a signal sent",
        tries(
            "fcntl.fcntl(0, 8, bait['bystander'])",
            "fcntl.fcntl(0, 10, 9)",
            "fcntl.fcntl(0, 15, bytes(8))",
            "fcntl.fcntl(4, 1031, 1 << 20)",
            "fcntl.fcntl(0, 1026, 1)",
            first="import fcntl",
        ),
        plain=True,
    ),
    Attack(
        "command a terminal",
        tries(
            "fcntl.ioctl(0, 0x5412, b'x')",
            "fcntl.ioctl(0, 0x541C, b'\\3')",
            "fcntl.ioctl(0, 0x540E, 1)",
            "fcntl.ioctl(0, 0x5412 | 1 << 32 - 1, b'x')",
            first="import fcntl",
        ),
    ),
    Attack(
        "slow others down",
        tries(
            "os.setpriority(os.PRIO_PROCESS, bait['bystander'], 19)",
            "os.sched_setaffinity(bait['bystander'], [0])",
            "os.nice(-5)",
            "os.nice(5)",
            "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
            "call(251 if X86 else 30, 1, bait['bystander'], 0)",
        ),
    ),
    Attack(
        "leave its group", tries("os.setsid()", "os.setpgid(0, bait['bystander'])", "os.setpgrp()")
    ),
    # --- rights
    Attack(
        "raise limits",
        tries(
            *(
                f"r.setrlimit(r.RLIMIT_{name}, (r.RLIM_INFINITY,) * 2)"
                for name in ("AS", "NOFILE", "NPROC", "FSIZE")
            ),
            "r.prlimit(bait['bystander'], r.RLIMIT_CPU, (1, 1))",
            "r.prlimit(bait['parent'], r.RLIMIT_AS)",
            "r.setrlimit(r.RLIMIT_CPU, (1, 1))",
            first="import resource as r",
        ),
    ),
    Attack(
        "become somebody",
        tries(
            "os.setuid(0)",
            "os.setresuid(0, 0, 0)",
            "os.setgid(0)",
            "os.setgroups([0])",
            "os.setuid(65534)",
            "call(126 if X86 else 91, struct.pack('<Ii', 0x20080522, 0), b'\\xff' * 24)",
            "call(122 if X86 else 151, 0) and call(105 if X86 else 146, 0)",
        ),
    ),
    Attack(
        "prctl",
        syscalls(
            "157 167 1, 0, 0, 0, 0",
            "157 167 4, 1, 0, 0, 0",
            "157 167 0x59616d61, -1, 0, 0, 0",
            "157 167 22, 0, 0, 0, 0",
            "157 167 15, b'name', 0, 0, 0",
            "157 167 23, 0, 0, 0, 0",
        ),
    ),
    Attack(
        "confine less", syscalls("317 277 1, 0, bytes(16)", "444 444 None, 0, 1", "446 446 3, 0")
    ),
    Attack(
        "reach into the kernel",
        syscalls(
            "321 280 0, bytes(72), 72",
            "250 219 0, -1, 0",
            "248 217 b'user', b'a', b'b', 1, -1",
            "425 425 1, bytes(120)",
            "323 282 0",
            "319 279 b'a', 0",
            "298 241 bytes(112), 0, -1, -1, 0",
            "300 262 0, 0",
            "294 26 0",
            "283 85 1, 0",
            "290 19 0, 0",
            "447 447 0",
            "246 104 0, 0, None, 0",
            "175 105 None, 0, b''",
            "169 142 0xfee1dead, 672274793, 0, None",
            "103 116 3, None, 0",
            "163 89 None",
            "149 228 0, 1",
            "237 235 0, 0, 0, None, 0, 0",
            "135 92 0xffffffff",
            "250 219 0, -3, 1",
            "329 289 0, 0",
            "216 234 0, 4096, 0, 0, 0",
        ),
    ),
    Attack(
        "share memory",
        tries(
            "__import__('_posixshmem').shm_open('/a', os.O_CREAT | os.O_RDWR, 0o600)",
            "call(29 if X86 else 194, 77, 4096, 0o1666)",
            "call(68 if X86 else 186, 77, 0o1666)",
            "call(64 if X86 else 190, 77, 1, 0o1666)",
            "call(240 if X86 else 180, b'a', 0o102, 0o666, None)",
            "os.memfd_create('a')",
        ),
    ),
    Attack(
        "call as another processor",
        """
def attack(bait):
    near = ctypes.cast(libc.getpid, ctypes.c_void_p).value - (1 << 18)
    code = ctypes.string_at(near, 1 << 19)
    run = ctypes.CFUNCTYPE(ctypes.c_int)(near + code.index(b"\\xcd\\x80"))  # int 0x80
    return tried(run)
""",
        ends="gone",
        words=r"signal 31 \(SIGSYS\)",
        x86=True,
    ),
    Attack(
        "run machine code of its own",
        tries(
            "mmap.mmap(-1, 4096, prot=7)",
            "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
            "call(10 if X86 else 226, ctypes.addressof(page) & -4096, 4096, 7)",
            "call(329 if X86 else 288, ctypes.addressof(page) & -4096, 4096, 7, -1)",
            first="import mmap\npage = ctypes.create_string_buffer(8192)",
        ),
        plain=True,
    ),
    Attack(
        "call by x32 numbers",
        tries("call(0x40000000 | 39)"),
        ends="gone",
        words=r"signal 31 \(SIGSYS\)",
        x86=True,
    ),
    Attack(
        "wait by other futexes",
        tries(
            *(
                f"call(202 if X86 else 98, ctypes.addressof(word), {command}, 1, 1, None, 0)"
                for command in (3, 4, 5, 6, 8, 11, 131, 134)
            ),
            first="word = ctypes.c_int()",
        ),
    ),
    # --- what another program could be told by
    Attack(
        "look at names",
        learns(
            *(
                look.format(name=name)
                for name in ("os.__file__", "os.__file__ + '-of-nobody'")
                for look in (
                    "os.stat({name})",
                    "os.lstat({name})",
                    "os.open({name}, os.O_RDONLY)",
                    "os.open({name}, os.O_PATH)",
                    "os.readlink({name})",
                    "os.listdir({name})",
                    "os.chdir({name})",
                    "os.statvfs({name})",
                    "os.getxattr({name}, 'user.a')",
                    "os.execv({name}, ['a'])",  # that only look: without a sandbox they are done
                    "call(332 if X86 else 291, -100, os.fsencode({name}), 0, 0x7ff, room)",
                    "call(262 if X86 else 79, 0, os.fsencode({name}), room, 0x1000)",
                    "call(269 if X86 else 48, -100, os.fsencode({name}), 0)",
                    "call(439, -100, os.fsencode({name}), 0, 0x200)",
                    "call(437, -100, os.fsencode({name}), room, 24)",
                    "call(303 if X86 else 264, -100, os.fsencode({name}), room, room, 0)",
                    "call(254 if X86 else 27, 0, os.fsencode({name}), 0xfff)",
                )
            ),
            "os.getcwd()",
            "os.scandir(0)",
            "__import__('ctypes').CDLL('libm.so.6.of.nobody') and 0 or os.stat('/')",
            first="room = ctypes.create_string_buffer(512)",
        ),
        ends="said",
        words=r"\[\"refused: OSError\(.libm[^,]*\"\]",  # the loader hides why
        plain=True,
    ),
    Attack(
        "read the clocks of others",
        learns(
            *(
                f"{function}(~{pid} << 3 | {kind})"
                for function in ("time.clock_gettime", "time.clock_getres")
                for kind in (0, 2, 6)
                for pid in ("bait['parent']", "bait['bystander']", "bait['other']", "4194000")
            ),
            "call(230 if X86 else 115, ~bait['bystander'] << 3 | 2, 1, struct.pack('qq', 0, 1), 0)",
            "time.clock_gettime(9)",
        ),
        ends="said",
        words=r"\[\]",
        plain=True,
    ),
    Attack(
        "ask about others",
        learns(
            *(
                question.format(pid=pid)
                for pid in ("bait['bystander']", "bait['other']", "4194000")
                for question in (
                    "os.sched_getaffinity({pid})",
                    "os.sched_setaffinity({pid}, [0])",
                    "os.sched_getscheduler({pid})",
                    "os.sched_getparam({pid})",
                    "os.getpriority(os.PRIO_PROCESS, {pid})",
                    "os.getpgid({pid})",
                    "os.getsid({pid})",
                    "os.kill({pid}, 0)",
                    "os.pidfd_open({pid})",
                    "call(312 if X86 else 272, {pid}, {pid}, 0, 0, 0)",
                    "call(274 if X86 else 100, {pid}, room, room)",
                    "call(279 if X86 else 239, {pid}, 0, 0, 0, 0, 0)",
                    "call(125 if X86 else 90, struct.pack('<Ii', 0x20080522, {pid}), room)",
                    "call(302 if X86 else 261, {pid}, 0, 0, room)",
                    "os.waitid(os.P_PID, {pid}, os.WNOHANG)",
                )
            ),
            "call(99 if X86 else 179, room)",
            first="room = ctypes.create_string_buffer(512)",
        ),
        ends="said",
        words=r"\[\]",
        plain=True,
    ),
    Attack(
        "wait and wake on shared pages",
        learns(
            "call(202 if X86 else 98, page, 1, 1, 0, 0, 0)",
            "call(202 if X86 else 98, page, 10, 1, 0, 0, -1)",
            "call(202 if X86 else 98, page, 0, 1, struct.pack('qq', 0, 1), 0, 0)",
            "call(202 if X86 else 98, page, 256 | 9, 1, struct.pack('qq', 0, 1), 0, 1)",
            "call(449, room, 1, 0, 0, 0)",
            first="page = ctypes.cast(libc.getpid, ctypes.c_void_p).value & -4096\n"
            "room = ctypes.create_string_buffer(512)",
        ),
        ends="said",
        words=r"\[\]",
        plain=True,
    ),
    Attack(
        "advise about shared pages",
        learns(
            *(
                f"call(28 if X86 else 233, page, 4096, {advice})"
                for advice in (3, 10, 12, 13, 20, 21, 22, 25)
            ),
            "call(27 if X86 else 232, page, 4096, room)",
            "call(149 if X86 else 228, page, 4096)",
            "call(26 if X86 else 227, page, 4096, 4)",
            "call(440, 0, room, 1, 21, 0)",
            first="page = ctypes.cast(libc.getpid, ctypes.c_void_p).value & -4096\n"
            "room = ctypes.create_string_buffer(4096)",
        ),
        ends="said",
        words=r"\[\]",
        plain=True,
    ),
    Attack(
        "use what a user's processes share",
        learns(
            "os.pipe()",
            "os.pipe2(0)",
            "fcntl.flock(0, fcntl.LOCK_EX | fcntl.LOCK_NB)",
            "fcntl.fcntl(0, fcntl.F_SETLK, struct.pack('hhqqi', 1, 0, 0, 0, 0))",
            "fcntl.fcntl(0, 1024, 1)",
            "fcntl.fcntl(0, 1032)",
            "call(290 if X86 else 19, 0, 0)",
            "call(291 if X86 else 20, 0)",
            "call(294 if X86 else 26, 0)",
            "call(283 if X86 else 85, 1, 0)",
            "call(222 if X86 else 107, 1, 0, room)",
            "call(289 if X86 else 74, -1, bytes(8), 8, 0)",
            "call(257 if X86 else 56, -100, b'/dev/shm/a', 0)",
            first="import fcntl\nroom = ctypes.create_string_buffer(512)",
        ),
        ends="said",
        words=r"\[\]",
        plain=True,
    ),
    # --- using up what there is
    Attack(
        "use up memory",
        tries(
            "bytearray(1 << 30)",
            "'x' * (1 << 40)",
            "hoard(0)",
            first="""
def hoard(number):
    kept = []
    while True:
        kept.append(bytearray(1 << 24))
""".strip(),
        ),
    ),
    Attack(
        "map memory", tries("mmap.mmap(-1, 1 << 31)", "mmap.mmap(-1, 1 << 40)", first="import mmap")
    ),
    Attack("use up descriptors", tries("[os.pipe() for _ in range(100)]")),
    Attack(
        "recurse in C",
        """
def attack(bait):
    sys.setrecursionlimit(1 << 30)
    deep = []
    for _ in range(1 << 17):
        deep = [deep]
    return repr(deep).encode()
""",
        ends="gone",
        words="SIGSEGV|exit code 1",  # from Python 3.12 on it is stopped before the stack is full
    ),
    Attack(
        "compute an endless number",
        "def attack(bait): return str(10 ** 10 ** 9).encode()",
        ends="late",
    ),
    Attack("loop", "def attack(bait):\n    while True: pass", ends="late"),
    Attack("loop at import", "while True: pass", ends="late"),
    Attack("sleep", "def attack(bait): time.sleep(60)", ends="late"),
    Attack(
        "ignore signals",
        """
def attack(bait):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True: pass
""",
        ends="late",
    ),
    # --- ends
    Attack(
        "read address 0",
        "def attack(bait): return ctypes.string_at(0)",
        ends="gone",
        words=r"signal 11 \(SIGSEGV\)",
    ),
    Attack("abort", "def attack(bait): os.abort()", ends="gone", words="SIGABRT|SIGSEGV"),
    Attack("exit at once", "def attack(bait): os._exit(0)", ends="gone", words="exit code 0"),
    Attack("exit", "def attack(bait): sys.exit(3)", ends="gone", words="exit code 3"),
    Attack("exit at import", "sys.exit(4)", ends="gone", words="exit code 4"),
    Attack("raise at import", "1 / 0", ends="gone", words="exit code 1"),
    Attack(
        "be killed by its own alarm",
        body("""
signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.2)
os._exit(7)
"""),
        ends="gone",
        words="SIGALRM|exit code 7",
    ),  # a process 1 does not die of SIGALRM
    # --- the conversation
    Attack(
        "close all pipes",
        "def attack(bait):\n    os.closerange(0, 64)\n    time.sleep(60)",
        ends="over",
        words="closed the pipes|in time",
    ),
    Attack(
        "flood the pipe of replies",
        """
def attack(bait):
    while True: os.write(4, bytes(1 << 16))
""",
        ends="nonsense",
    ),
    Attack(
        "announce a flood",
        """
def attack(bait):
    os.write(4, key() + b'\\xff' * 4)
    while True: os.write(4, bytes(1 << 16))
""",
        ends="nonsense",
        words="4294967295 bytes",
    ),
    Attack(
        "reply too long",
        "def attack(bait): return bytes(3 << 20)",
        ends="nonsense",
        words="the limit",
    ),
    Attack(
        "print a lot",
        body("""
for _ in range(100):
    print('x' * (1 << 16))
    os.write(2, b'y' * (1 << 16))
return b'"printed"'
"""),
        ends="said",
        words='"printed"',
    ),
    Attack("print for ever", "def attack(bait):\n    while True: print('x' * 5000)", ends="late"),
    Attack(
        "send another key",
        "def attack(bait): os.write(4, frame(bytes(8), b'[]')); time.sleep(60)",
        ends="nonsense",
        words="another request",
    ),
    Attack(
        "send a wrong header",
        "def attack(bait): os.write(4, b'\\x7f'); time.sleep(60)",
        ends="nonsense",
    ),
    Attack(
        "answer twice",
        """
def attack(bait):
    os.write(4, frame(key(), b'[]') * 2)
    time.sleep(60)
""",
        ends="nonsense",
        again=True,
    ),
    Attack(
        "answer twice, later",
        """
def attack(bait):
    os.write(4, frame(key(), b'[]'))
    return b'[]'
""",
        ends="nonsense",
        again=True,
    ),
    Attack(
        "answer ahead",
        """
def attack(bait):
    mine = key()
    later = int.from_bytes(mine, "little") + 1
    os.write(4, frame(mine, b'[]'))
    time.sleep(0.05)
    os.write(4, frame(later.to_bytes(8, "little"), b'[]'))
    time.sleep(60)
""",
        ends="nonsense",
        again=True,
    ),
    Attack(
        "answer in part",
        """
def attack(bait):
    os.write(4, frame(key(), b'abc')[:-1])
    time.sleep(60)
""",
        ends="late",
    ),
    Attack(
        "write a header in part",
        "def attack(bait): os.write(4, key()); time.sleep(60)",
        ends="late",
    ),
    Attack(
        "answer late", "def attack(bait): time.sleep(0.5); return b'[]'", ends="late", again=True
    ),
]
