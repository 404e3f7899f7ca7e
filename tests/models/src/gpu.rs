//! What communicators need of devices and of NCCL. No model has one: the types have no values.

use crate::error::{Error, Result};

pub enum Device {}

impl Device {
    pub fn mark(&self) -> Result<peer::Mark> {
        match *self {}
    }

    pub fn refuse_capture(&self, _: &str) -> Result<()> {
        match *self {}
    }

    pub fn synchronize(&self) -> Result<()> {
        match *self {}
    }

    pub fn fingerprint(&self) -> Result<u64> {
        match *self {}
    }
}

pub mod peer {
    use std::marker::PhantomData;
    use std::sync::Arc;

    use super::Device;
    use crate::error::Result;

    pub enum Lent {}
    pub enum Mailbox {}
    pub enum Mark {}
    pub enum Party {}
    pub enum Stop {}

    pub struct Region<'r>(PhantomData<&'r [u8]>);

    pub struct Round<'r> {
        pub mailboxes: &'r [Arc<Mailbox>],
        pub rank: usize,
        pub number: u32,
        pub stop: &'r Stop,
        pub patience: u64,
    }

    pub struct Source<'a>(PhantomData<&'a [u8]>);
    pub struct Target<'a>(PhantomData<&'a mut [u8]>);

    impl Device {
        pub fn lend(&self, _: &[Source]) -> Result<Arc<Lent>> {
            match *self {}
        }

        pub fn take(&self, _: &Lent, _: &[Target]) -> Result<()> {
            match *self {}
        }

        pub fn begin_beside(&self) -> Result<()> {
            match *self {}
        }

        pub fn take_beside(&self, _: &Lent, _: &[Target]) -> Result<Mark> {
            match *self {}
        }

        pub fn use_lent(
            &self,
            _: &[Arc<Lent>],
            _: &Stop,
            _: impl FnOnce(&[Vec<Region>]) -> Result<()>,
        ) -> Result<()> {
            match *self {}
        }
    }

    impl Lent {
        pub fn settle(&self, _: &Device, _: &mut dyn FnMut() -> Result<()>) -> Result<()> {
            match *self {}
        }

        pub fn withdraw(&self) {
            match *self {}
        }
    }

    impl Mailbox {
        pub const RANKS: usize = 16;
        pub const ELEMENTS: usize = 4096;

        pub fn create(device: &Device, _: usize) -> Result<Mailbox> {
            match *device {}
        }
    }

    impl Mark {
        pub fn entered<T>(&self, _: impl FnOnce() -> Result<T>) -> Result<T> {
            match *self {}
        }

        pub fn is_done(&self) -> Result<bool> {
            match *self {}
        }

        pub fn hold_back(&self, _: &Device) -> Result<()> {
            match *self {}
        }

        pub fn outlast(&self) {
            match *self {}
        }
    }

    impl Party {
        pub fn of(device: &Device) -> Party {
            match *device {}
        }

        pub fn sees(&self, _: &Party) -> bool {
            match *self {}
        }
    }

    impl Stop {
        pub fn create(device: &Device) -> Result<Stop> {
            match *device {}
        }

        pub fn raise(&self) {
            match *self {}
        }

        pub fn check(&self) -> Result<()> {
            match *self {}
        }
    }
}

pub mod nccl {
    use super::peer::{Mark, Source, Target};
    use super::*;

    pub const UNIQUE_ID: usize = 128;

    pub enum Control {}
    pub enum Data {}

    pub struct Letter<'l> {
        pub peer: usize,
        pub send: &'l [u8],
        pub receive: &'l mut [u8],
    }

    pub type Exchange<'e, 'p> = (usize, &'e [Source<'p>], &'e [Target<'p>]);
    pub type Poll<'p> = &'p mut dyn FnMut() -> Result<()>;

    pub fn check() -> Result<()> {
        Err(Error::unsupported("there is no NCCL"))
    }

    pub fn unique_id() -> Result<[u8; UNIQUE_ID]> {
        Err(Error::unsupported("there is no NCCL"))
    }

    impl Control {
        pub fn create(device: &Device, _: &[u8], _: usize, _: usize, _: Poll) -> Result<Control> {
            match *device {}
        }

        pub fn allgather(&self, _: &[u8], _: &mut [u8], _: Poll) -> Result<()> {
            match *self {}
        }

        pub fn exchange(&self, _: &mut [Letter], _: Poll) -> Result<()> {
            match *self {}
        }

        pub fn abort(&self) {
            match *self {}
        }
    }

    impl Data {
        pub fn create(device: &Device, _: &[u8], _: usize, _: usize, _: Poll) -> Result<Data> {
            match *device {}
        }

        pub fn exchange(&self, _: &Device, _: &[Exchange], _: Poll) -> Result<()> {
            match *self {}
        }

        pub fn finish(&self, _: &Mark, _: Poll) -> Result<()> {
            match *self {}
        }

        pub fn check(&self) -> Result<()> {
            match *self {}
        }

        pub fn abort(&self) {
            match *self {}
        }
    }
}
