"""Systems in folders, made by debootstrap as root: a Debian 12 without Swift, if the kernel permits it with systemd as its
first process; and other systems, of which only the packages that all have are unpacked."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from gateway import until

#: In namespaces of its own: mounts what a system needs, makes the folder its root, and becomes the first process.
BOOT = """
set -e
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for place in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$root/$place"; done
chmod 1777 "$root/tmp"
for name in null zero full random urandom tty; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tmpfs "$root/dev/shm"
ip link set lo up
cd "$root"
mkdir -p .old
pivot_root . .old
umount -l /.old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=multi-user.target
"""


class System:
    """A system; `name` is its release, and `source` its mirror and the script of debootstrap. The environment may name the
    folder of one to be copied, to save the time: for Debian 12 `PARLEY_DEBIAN_ROOT`, and for unpacked ones the folder that
    holds them by name, `PARLEY_ROOTS`."""

    def __init__(self, name="bookworm", source=(), options=(), unpacked=False):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix=f"parley-{name}-")) / "root"
        self.first = None
        made = os.environ.get("PARLEY_ROOTS" if unpacked else "PARLEY_DEBIAN_ROOT")
        if made:
            subprocess.run(["cp", "-a", pathlib.Path(made, name) if unpacked else made, self.root], check=True)
            return
        how = ["--foreign"] if unpacked else [
            "--include=ca-certificates,curl,dbus,dbus-user-session,libpam-systemd,systemd,systemd-sysv"]
        done = subprocess.run(
            ["debootstrap", "--variant=minbase", *how, *options, name, self.root, *source], capture_output=True, text=True)
        if done.returncode:
            self.close()
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        if (self.root / "proc").is_symlink():
            # So does debootstrap where it may not mount. Swift finds a program's arguments by /proc/self.
            (self.root / "proc").unlink()
            (self.root / "proc").mkdir()

    def inside(self, *command, check=True, **more):
        """Runs a command in the folder, with /proc; no system is started."""
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.root, *command],
            capture_output=True, text=True, env={"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"},
            timeout=600, **more)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done

    def start(self, *command):
        """The same for a command that goes on. Its process id is that of the command itself."""
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"', self.root, *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def boot(self):
        """Starts systemd. Returns whether that was possible here."""
        launcher = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--cgroup", "--net", "--kill-child",
             "bash", "-c", BOOT, "boot", self.root], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.first = launcher

        def state():
            if launcher.poll() is not None:
                return "ended"
            children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
            if not children or "systemd" not in pathlib.Path(f"/proc/{children[0]}/comm").read_text():
                return None
            self.process = children[0]
            told = self.run("systemctl", "is-system-running", check=False).stdout.strip()
            return told if told in ("running", "degraded") else None

        return until("systemd to start", state, 60) != "ended"

    def run(self, *command, check=True, user=0, home="/root"):
        """Runs a command in the system that was started."""
        done = subprocess.run(
            ["nsenter", "--target", self.process, "--all", "--setuid", str(user), "--setgid", str(user), "--",
             "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", f"HOME={home}", f"XDG_RUNTIME_DIR=/run/user/{user}", *command],
            capture_output=True, text=True, timeout=60)
        assert not check or done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done

    def close(self):
        if self.first and self.first.poll() is None:
            self.first.send_signal(signal.SIGKILL)
            self.first.wait()
        shutil.rmtree(self.root.parent, ignore_errors=True)


def ubuntu_keyring(folder):
    """The keys of Ubuntu's archive. Debian 13 has them in a package, which apt fetches and Debian's own keys vouch for."""
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "sources").write_text(
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main\n")
    apt = ["apt-get", "-q", "-o", f"Dir::Etc::sourcelist={folder}/sources", "-o", "Dir::Etc::sourceparts=/dev/null",
           "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}", "-o", "APT::Sandbox::User=root"]
    for command in ("update",), ("download", "ubuntu-keyring"):
        subprocess.run([*apt, *command], cwd=folder, check=True, capture_output=True)
    subprocess.run(["dpkg-deb", "--extract", *folder.glob("ubuntu-keyring_*.deb"), folder], check=True)
    return folder / "usr/share/keyrings/ubuntu-archive-keyring.gpg"
